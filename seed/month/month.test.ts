/** The month as its pages show it, made once for the whole file. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { firstPage } from '../../server/contract/portal/paging.ts'
import { agreementWorkflow } from '../../server/contract/workflows/agreement-workflow.ts'
import { registrationWorkflow } from '../../server/contract/workflows/registration-workflow.ts'
import { sandboxKeyWorkflow } from '../../server/contract/workflows/sandbox-key-workflow.ts'
import { parseEnv } from '../../server/env.ts'
import { createServices, type Services } from '../../server/services.ts'
import { type TestDatabase, testDatabase } from '../../tests/support/database.ts'
import { seedDemoPeople } from '../demo.ts'
import { beginMonth, readMonth, seedMonth } from './month.ts'
import { organizations, who } from './people.ts'

const password = 'made-for-this-test-only'
/** A Sunday: nobody works, and the queue has its clocks all the same. */
const end = new Date('2026-11-22T15:00:00.000Z')
const log = pino({ level: 'silent' })

function envOf(database: TestDatabase) {
  return parseEnv({
    DATA_DIR: folder,
    DATABASE_URL: database.appUrl,
    SANDPIPER_EMBEDDED: '1',
    // As behind a proxy: the month is made all the same.
    TRUSTED_PROXY_CIDRS: '127.0.0.1/32',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  })
}

const folder = await mkdtemp(join(tmpdir(), 'month-'))
const database = await testDatabase('cast')
const [env, { appUrl }] = [envOf(database), database]
const services: Services = createServices({ env, log, appUrl, clock: () => end })
await beginMonth(services, end)
await seedDemoPeople(services, password)
await seedMonth({ env, log, appUrl, password })

afterAll(async () => {
  await services.close()
  await rm(folder, { recursive: true })
})

const accountOf = async (email: string) =>
  (await services.prisma.account.findFirstOrThrow({ where: { email } })).id

async function statesIn(table: 'registration' | 'agreement' | 'sandbox_key_request'): Promise<string[]> {
  const { rows } = await services.pool.query(`SELECT DISTINCT state FROM portal.${table} ORDER BY state`)
  return rows.map(({ state }) => state)
}

test('three organizations have apps in every state', async () => {
  const names = Object.values(organizations).map(({ name }) => name)
  expect(await services.prisma.organization.count({ where: { name: { in: names } } })).toBe(3)

  const states = await statesIn('registration')

  expect(registrationWorkflow.states.filter((state) => !states.includes(state))).toEqual([])
})

test('there are agreements in every state but void, which takes a document that somebody changed', async () => {
  const states = await statesIn('agreement')

  expect(agreementWorkflow.states.filter((state) => !states.includes(state))).toEqual(['void'])
})

test('there are requests for sandbox keys in every state that lasts', async () => {
  const states = await statesIn('sandbox_key_request')

  const passing = ['requested', 'approved']
  expect(sandboxKeyWorkflow.states.filter((state) => !states.includes(state))).toEqual(passing)
})

test('six requests wait for the reviewers, one of them overdue', async () => {
  const waiting = { ...firstPage, view: 'all', stage: 'waiting', kind: null } as const
  const { rows } = await services.reviewQueues.read(waiting, { accountId: await accountOf(who.rhea) })

  expect(rows).toHaveLength(6)
  expect(new Set(rows.map(({ noun }) => noun)).size).toBe(3)
  const clocks = rows.flatMap(({ promise, rule }) => promise ?? rule ?? [])
  expect(clocks).toHaveLength(5)
  expect(clocks.filter((clock) => 'overdue' in clock && clock.overdue)).toHaveLength(1)
})

test('each of the four roles of the tour has something to do', async () => {
  for (const name of ['dana', 'theo', 'iris', 'rhea', 'tomas', 'olu'] as const) {
    const waiting = await services.inbox.count({}, { accountId: await accountOf(who[name]) })
    expect([name, waiting > 0]).toEqual([name, true])
  }
})

test('keys have thirty days of calls, with errors among them', async () => {
  const { rows } = await services.pool.query<{ name: string; days: number; refused: number }>(
    `SELECT k.name, count(*)::int AS days, sum(d.refused)::int AS refused FROM log.activity_day d
       JOIN portal.api_key k ON k.id = d.key_id GROUP BY k.name ORDER BY k.name`,
  )

  expect(rows.map(({ name }) => name)).toEqual([
    'Chart sync',
    'Larkfield chart sync',
    'Measures notebook',
    'Nightly import',
    'Reminder prototype',
  ])
  for (const { days, refused } of rows) {
    expect(days).toBeGreaterThanOrEqual(20)
    expect(refused).toBeGreaterThan(0)
  }
})

test('each app that read records is one that people connected, and the record names who used it', async () => {
  for (const [name, admin, app, person] of [
    ['Harborlight Family Medicine', who.theo, 'Brightmeadow Family Hub', /^Patient\//],
    ['Juniper Point Pediatrics', who.nora, 'Larkfield Growth Curves', /^Practitioner\//],
  ] as const) {
    const practice = await services.prisma.practice.findFirstOrThrow({ where: { name } })
    const actor = { accountId: await accountOf(admin), correlationId: randomUUID() }

    const { counts, listed } = await services.practiceConsole.read(practice.id, actor)
    const { rows } = await services.practiceAudit.access(practice.id, { limit: 1_000 }, actor)

    expect(counts.apps).toBe(1)
    expect(listed.rows.find((row) => row.name === app)).toMatchObject({ ended: false })
    expect(listed.rows.find((row) => row.name === app)?.calls).toBeGreaterThan(100)
    const own = rows.filter(({ who: reader }) => reader === app)
    expect(own.length).toBeGreaterThan(100)
    for (const row of own) {
      expect(row.principalId).toMatch(person)
      expect(row.person).toMatch(/\w \w/)
      if (row.patientId) expect(row.patientName).toMatch(/\w \w/)
    }
  }
})

test('nothing is later than the end, no email waits and no job was added', async () => {
  const { rows } = await services.pool.query(
    `SELECT (SELECT count(*) FROM portal.workflow_event WHERE at > $1)
          + (SELECT count(*) FROM portal.audit_event WHERE at > $1)
          + (SELECT count(*) FROM log.activity WHERE at > $1)
          + (SELECT count(*) FROM portal.outbox_mail WHERE state <> 'sent' OR sealed_links IS NOT NULL)
          + (SELECT count(*) FROM graphile_worker._private_jobs) AS wrong`,
    [end],
  )

  expect(Number(rows[0].wrong)).toBe(0)
})

test('the audit chain of the month is sealed and holds', async () => {
  await services.sealer.seal()
  await services.sealer.writeHead({ now: true })

  expect(await services.prisma.auditEvent.count({ where: { chainNumber: null } })).toBe(0)
})

test('made again, nothing is made twice', async () => {
  const counts = () =>
    Promise.all([
      services.prisma.workflowEvent.count(),
      services.prisma.account.count(),
      services.prisma.agreement.count(),
    ])
  const before = await counts()

  expect(await readMonth(services)).toBe('whole')
  await beginMonth(services, new Date())

  expect(await readMonth(services)).toBe('whole')
  expect(await counts()).toEqual(before)
})
