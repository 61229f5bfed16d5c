import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { fetchSampleToken } from '../scripts/setup/sample-token.mjs'
import { describeSampleApps, describeSignIns } from '../scripts/setup/sign-ins.mjs'
import { createApp } from '../server/app.ts'
import { makeReadablePassword } from '../server/auth/random-token.ts'
import { parseEnv } from '../server/env.ts'
import { createServices, type Services } from '../server/services.ts'
import { testDatabase } from '../tests/support/database.ts'
import { seedDemoPeople, seedSampleApps } from './demo.ts'
import { demoPeople, readDemoPassword, writeSignIns } from './demo-people.ts'
import { isSeeded } from './is-seeded.ts'
import { beginMonth, readMonth, skipMonth } from './month/month.ts'

const password = makeReadablePassword()

const database = await testDatabase('cast')
const folder = await mkdtemp(join(tmpdir(), 'sign-ins-'))
const env = parseEnv({
  DATA_DIR: folder,
  DATABASE_URL: database.appUrl,
  SANDPIPER_EMBEDDED: '1',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
})
const clock = () => new Date('2026-11-20T12:00:00.000Z')
const services: Services = createServices({
  env,
  log: pino({ level: 'silent' }),
  appUrl: database.appUrl,
  clock,
})

afterAll(async () => {
  await services.close()
  await rm(folder, { recursive: true })
})

test('every demonstration person can sign in with the one password, each at their own door', async () => {
  expect(await isSeeded(services.pool, { demo: false })).toBe(true)
  expect(await isSeeded(services.pool, { demo: true })).toBe(false)

  await seedDemoPeople(services, password)
  expect(await isSeeded(services.pool, { demo: true })).toBe(false)
  await seedSampleApps(services, folder)
  expect(await isSeeded(services.pool, { demo: true })).toBe(false)
  await skipMonth(services, services.clock())

  expect(await isSeeded(services.pool, { demo: true })).toBe(true)
  const context = { ip: '127.0.0.1', userAgent: 'test', correlationId: 'c' }
  for (const { realm, email } of demoPeople) {
    expect(await services.accounts.signIn({ realm, email, password }, context)).toMatchObject({
      kind: 'signed_in',
    })
  }
})

test('the developer owns an organization whose sandbox shares the template', async () => {
  const { prisma } = services
  const [organization] = await prisma.organization.findMany({ include: { practices: true, members: true } })
  const template = await prisma.practice.findUniqueOrThrow({ where: { slug: 'sandbox-template' } })

  expect(organization).toMatchObject({ name: 'Larkfield Labs', members: [{ role: 'owner' }] })
  expect(organization?.practices.map((practice) => practice.datasetId)).toEqual([template.datasetId])
})

test('run again, nothing is made twice and what is missing is mended', async () => {
  const { prisma } = services
  const counts = () =>
    Promise.all([
      prisma.account.count(),
      prisma.organization.count(),
      prisma.practice.count(),
      prisma.practiceMembership.count(),
      prisma.patientLogin.count(),
    ])
  const before = await counts()
  await prisma.patientLogin.deleteMany({ where: { relationship: 'parent', account: { isDemo: true } } })
  expect(await isSeeded(services.pool, { demo: true })).toBe(false)

  await seedDemoPeople(services, password)

  expect(await counts()).toEqual(before)
  expect(await isSeeded(services.pool, { demo: true })).toBe(true)
})

test('the people who act for patients and work at practices refer to records that are there', async () => {
  const { rows } = await services.pool.query(
    `SELECT l.patient_id AS id, r.id AS found FROM portal.patient_login l
       JOIN portal.practice p ON p.id = l.practice_id
       LEFT JOIN clinical.resource r ON r.dataset_id = p.dataset_id AND r.id = l.patient_id
     UNION ALL
     SELECT m.practitioner_id, r.id FROM portal.practice_membership m
       JOIN portal.practice p ON p.id = m.practice_id
       LEFT JOIN clinical.resource r ON r.dataset_id = p.dataset_id AND r.id = m.practitioner_id
     WHERE m.practitioner_id IS NOT NULL`,
  )

  const references = demoPeople.flatMap(({ patients = [], practiceRoles = [] }) => [
    ...patients,
    ...practiceRoles.filter(({ practitionerId }) => practitionerId),
  ])
  expect(rows.length).toBeGreaterThanOrEqual(references.length)
  expect(rows.every((row) => row.id === row.found)).toBe(true)
})

test('the sign-ins lie in one file that only its owner reads, and the password is kept', async () => {
  await writeSignIns(folder, password)

  const mine = (await readdir(folder)).filter((name) => name.startsWith('demo-sign-ins'))
  expect(mine).toEqual(['demo-sign-ins.json'])
  expect((await stat(join(folder, 'demo-sign-ins.json'))).mode & 0o777).toBe(0o600)
  const shown = describeSignIns(await readFile(join(folder, 'demo-sign-ins.json'), 'utf8'))
  expect(shown[0]).toBe(`Password for all: ${password}`)
  const roles = new Set(demoPeople.map(({ role }) => role))
  expect(shown).toHaveLength(2 + roles.size)
  expect(shown.at(-1)).toBe(
    `and ${demoPeople.length - roles.size} more patients and clinicians: /docs/sandbox-people`,
  )
  expect(shown[1]).toMatch(/^developer +dana\.sandboxer@larkfield\.example +\/sign-in$/)
  expect(await readDemoPassword(folder)).toBe(password)
})

test('a file that others could read is closed again, and a broken one counts as none', async () => {
  await chmod(join(folder, 'demo-sign-ins.json'), 0o644)
  await writeSignIns(folder, password)
  expect((await stat(join(folder, 'demo-sign-ins.json'))).mode & 0o777).toBe(0o600)

  await writeFile(join(folder, 'demo-sign-ins.json'), '{"passwo')

  expect(await readDemoPassword(folder)).toBeNull()
  expect(await readDemoPassword(join(folder, 'nowhere'))).toBeNull()
})

test('the sample apps are there, one of each kind, with credentials in a file for its owner alone', async () => {
  const file = join(folder, 'demo-apps.json')
  const first = await readFile(file, 'utf8')
  await seedSampleApps(services, folder)
  const apps = await services.prisma.client.findMany({ orderBy: { audience: 'asc' } })

  expect(apps.map(({ audience, authentication }) => `${audience} ${authentication}`)).toEqual([
    'patient none',
    'clinician client_secret_basic',
    'backend private_key_jwt',
  ])
  expect(await readFile(file, 'utf8')).toBe(first)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(Object.keys(JSON.parse(first)).sort()).toEqual(['sample-backend-system', 'sample-clinician-app'])
})

test('the command that start tells of gets a token that reads, and says what is wrong where it cannot', async () => {
  const app = createApp(services)
  const base = services.addresses.fhirBase('sandpiper-demonstration')
  const tokenFrom = (from: string, into = folder) =>
    fetchSampleToken({
      base: from,
      folder: into,
      scope: 'system/Patient.rs',
      now: services.clock(),
      fetch: async (url, init) => app.fetch(new Request(url, init)),
    })

  const headers = { authorization: `Bearer ${await tokenFrom(base)}` }
  const answer = await app.fetch(new Request(`${base}/Patient/pt-wren-testwell`, { headers }))

  expect(await answer.json()).toMatchObject({ resourceType: 'Patient', id: 'pt-wren-testwell' })
  await expect(tokenFrom(base, join(folder, 'nowhere'))).rejects.toThrow('npm start')
  await expect(tokenFrom(services.addresses.fhirBase('nobody'))).rejects.toThrow('refused')
  await expect(tokenFrom(services.addresses.fhirBase('harbor-family'))).rejects.toThrow('refused')
  const { secret } = JSON.parse(await readFile(join(folder, 'demo-apps.json'), 'utf8'))[
    'sample-clinician-app'
  ]
  const output = describeSampleApps('http://localhost:3000', 'elsewhere').join('\n')
  expect(output).toContain("DATA_DIR='elsewhere' npm run --silent token -- $FHIR")
  expect(output).not.toContain(secret)
})

test('a parent is, for an app, the related person of the child’s chart', async () => {
  const logins = await services.prisma.patientLogin.findMany({
    where: { relationship: 'parent', account: { isDemo: true } },
  })

  const children = ['pt-juno-testwell', 'pt-pip-testwell', 'pt-pip-testwell']
  expect(logins.map(({ patientId }) => patientId).sort()).toEqual(children)
  for (const { relatedPersonId } of logins) expect(relatedPersonId).toMatch(/^[A-Za-z0-9.-]{1,64}$/)
})

test('a database that is to stay empty stays so, whatever is asked for later', async () => {
  await beginMonth(services, services.clock())

  expect(await readMonth(services)).toBe('none')
  expect(await isSeeded(services.pool, { demo: true })).toBe(true)
})
