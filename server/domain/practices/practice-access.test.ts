/** Who has access to a practice's records: every key, system and app, a page at a time, and nothing of other practices. */
import { expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { pageRows } from '../../contract/portal/paging.ts'

const support = productionKeySupport(() => services)
type Office = Awaited<ReturnType<typeof support.office>>

const services = await registrationServices({ template: 'schema' })

const read = ({ practiceId, admin }: Office, asked: object = {}) =>
  services.practiceConsole.read(practiceId, admin.fresh(), asked)

async function addApp(office: Office, id: string, audience: 'patient' | 'backend') {
  const { prisma } = services
  const now = services.clock()
  const later = new Date(now.getTime() + 3_600_000)
  await prisma.client.create({
    data: {
      id,
      appId: crypto.randomUUID(),
      environment: 'production',
      audience,
      authentication: 'none',
      name: `App ${id}`,
      redirectUris: [],
      scope: 'patient/*.rs',
      createdAt: now,
    },
  })
  if (audience === 'backend') {
    await prisma.practiceSystemAuthorization.create({
      data: {
        practiceId: office.practiceId,
        clientId: id,
        state: 'granted',
        scope: 'system/*.rs',
        purpose: 'Counts vaccinations every night.',
        requestedAt: now,
        decidedAt: now,
      },
    })
    return
  }
  for (const [expiresAt, times] of [
    [later, 2],
    [now, 1],
  ] as const) {
    const person = await support.person('practice', 'Wren Testwell')
    for (let time = 0; time < times; time += 1)
      await prisma.grant.create({
        data: {
          clientId: id,
          practiceId: office.practiceId,
          audience,
          accountId: person.accountId,
          scope: 'patient/*.rs',
          createdAt: now,
          activatedAt: now,
          accessTokens: {
            create: {
              tokenHash: crypto.getRandomValues(new Uint8Array(32)),
              scope: '',
              createdAt: now,
              expiresAt,
            },
          },
        },
      })
  }
}

async function addOtherKeys({ practiceId, admin }: Office, count: number) {
  const now = services.clock()
  await services.prisma.apiKey.createMany({
    data: Array.from({ length: count }, (_, place) => ({
      name: `Import ${place}`,
      prefix: `svc_l${crypto.randomUUID().slice(0, 7)}`,
      secretHash: crypto.getRandomValues(new Uint8Array(32)),
      level: 'read_only' as const,
      environment: 'production' as const,
      practiceId,
      createdById: admin.accountId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + 3_600_000),
    })),
  })
}

test('keys, other keys, systems and apps of a practice are listed once each until they end', async () => {
  const scene = await support.working()
  const { office } = scene
  await addOtherKeys(office, 1)
  await addApp(office, 'night-count', 'backend')
  await addApp(office, 'diary', 'patient')

  const { counts, listed } = await read(office)

  expect(counts).toEqual({ keys: 2, systems: 1, apps: 1 })
  expect(listed.rows.map(({ kind, name }) => [kind, name])).toEqual([
    ['key', 'Nightly import'],
    ['other_key', 'Import 0'],
    ['system', 'App night-count'],
    ['app', 'App diary'],
  ])
  expect(listed.rows[0]).toMatchObject({
    id: scene.requestId,
    state: 'active',
    causes: [],
    level: 'read_only',
    keys: [{ prefix: scene.key.slice(0, 12) }],
    lastUsedAt: null,
    since: services.clock(),
  })
  // Two live grants are of one person; the third has no token any more.
  expect(listed.rows[3]).toMatchObject({ people: 1, audience: 'patient', lastUsedAt: services.clock() })
  expect((await read(await support.office())).listed.total).toBe(0)

  const revoked = { ...(await support.target(scene.requestId)), reason: 'Not needed any more.' }
  await services.productionKeys.revoke(revoked, office.admin.fresh())

  expect((await read(office)).counts).toEqual({ keys: 1, systems: 1, apps: 1 })
})

test('a group, a search and a page leave the counts of all as they are', async () => {
  const office = await support.office()
  await addOtherKeys(office, pageRows + 10)
  await addApp(office, 'tally', 'backend')

  const systems = await read(office, { group: 'systems' })
  const second = await read(office, { ask: { q: '', page: 2 } })
  const found = await read(office, { ask: { q: 'import 57 SANDPIPER', page: 1 } })
  const none = await read(office, { ask: { q: '%', page: 1 } })

  for (const { counts } of [systems, second, found, none])
    expect(counts).toEqual({ keys: pageRows + 10, systems: 1, apps: 0 })
  expect(systems.listed.rows.map(({ name }) => name)).toEqual(['App tally'])
  expect([second.listed.rows.length, second.listed.total, second.listed.pages]).toEqual([
    11,
    pageRows + 11,
    2,
  ])
  expect(found.listed.rows.map(({ name }) => name)).toEqual(['Import 57'])
  expect(none.listed.total).toBe(0)
})

test('a clinician reads none of it, and a stranger does not learn that the practice is there', async () => {
  const office = await support.office()
  const clinician = await support.practicePerson(office.practiceId, 'clinician', 'Cleo Placeholder')
  const stranger = await support.person('practice', 'Otto Elsewhere')

  for (const verb of ['read', 'requests'] as const) {
    const kindFor = ({ fresh }: typeof stranger) =>
      kindOfProblem(services.practiceConsole[verb](office.practiceId, fresh()))
    expect([await kindFor(clinician), await kindFor(stranger)], verb).toEqual(['forbidden', 'not_found'])
  }
})

test('a request says who asks, and until when to answer', async () => {
  const scene = await support.submitted()

  const { rows, total } = await services.practiceConsole.requests(
    scene.office.practiceId,
    scene.office.signatory.fresh(),
  )

  expect(total).toBe(1)
  expect(rows[0]).toMatchObject({
    requestId: scene.requestId,
    organizationName: 'Samplewood Health Apps',
    requestedBy: 'Robin Testwell',
    level: 'read_only',
    renewal: false,
    answerBy: new Date(services.clock().getTime() + 14 * 86_400_000),
  })
})
