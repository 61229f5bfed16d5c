/** What is due comes in the order of its date, whatever stands before it in the table. */
import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { agreementSupport } from '../../../tests/support/agreements.ts'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { completeForm, registrationServices } from '../../../tests/support/registrations.ts'

const dayMs = 86_400_000
/** Smaller than the number of rows that wait: what lies behind must have its turn all the same. */
const batch = 2
const support = productionKeySupport(() => services)
const agreements = agreementSupport(() => services)

const services = await registrationServices({ template: 'schema' })

const daysAgo = (days: number) => new Date(services.clock().getTime() - days * dayMs)
const inDays = (days: number) => new Date(services.clock().getTime() + days * dayMs)

async function ticks(tick: (now: Date, batch: number) => Promise<unknown>): Promise<void> {
  for (let run = 0; run < 3; run += 1) await tick(services.clock(), batch)
}

test('an expired production key ends although more keys than a batch holds stand before it', async () => {
  const team = await support.team()
  const office = await support.office()
  const keys: Awaited<ReturnType<typeof support.working>>[] = []
  for (let made = 0; made <= batch; made += 1)
    keys.push(await support.working({ termDays: 300 }, { ...team, office } as never))
  const [last] = keys.sort((one, other) => (one.requestId < other.requestId ? 1 : -1))
  const id = last?.requestId ?? ''
  await services.prisma.productionKeyRequest.update({ where: { id }, data: { expiresAt: daysAgo(1) } })

  await ticks(services.productionKeys.tick)

  expect(await support.stateOf(id)).toBe('expired')
  expect(await support.mailed(last?.owner.email ?? '')).toContain('production-expired')
}, 120_000)

test('a key that was reported as leaked takes its access with it at the next tick', async () => {
  const { requestId, key } = await support.working()
  await services.productionKeys.tick(services.clock())
  const hash = createHash('sha256').update(key).digest('hex')
  await services.keys.reportLeak(
    { hash },
    { ip: '203.0.113.7', userAgent: 'vitest', correlationId: randomUUID() },
  )

  await services.productionKeys.tick(services.clock())

  expect(await support.stateOf(requestId)).toBe('revoked')
}, 60_000)

async function request(changes: Record<string, unknown>): Promise<string> {
  const { organizationId, owner } = await support.team()
  const office = await support.office()
  const now = services.clock()
  const { id } = await services.prisma.productionKeyRequest.create({
    data: {
      organizationId,
      requestedById: owner.accountId,
      practiceId: office.practiceId,
      practiceSlug: office.slug,
      state: 'needs_info',
      name: 'Nightly import',
      level: 'read_only',
      termDays: 90,
      submittedAt: now,
      createdAt: now,
      updatedAt: now,
      ...changes,
    },
  })
  return id
}

test('a question that nobody answers lapses although more than a batch of questions was asked before', async () => {
  for (let more = 0; more < batch; more += 1) await request({ silentSince: services.clock() })
  const last = await request({ silentSince: daysAgo(31) })

  await ticks(services.productionKeys.tick)

  expect(await support.stateOf(last)).toBe('withdrawn')
})

test('a silent agreement is reminded of although more than a batch was silent for longer, and reminded', async () => {
  const { prisma } = services
  for (let more = 0; more < batch; more += 1) {
    const id = await agreements.offerBaa(await agreements.makeParties())
    await prisma.agreement.update({ where: { id }, data: { activeAt: daysAgo(9), reminders: 1 } })
  }
  const parties = await agreements.makeParties()
  const last = await agreements.offerBaa(parties)
  await prisma.agreement.update({ where: { id: last }, data: { activeAt: daysAgo(8) } })

  await ticks(services.agreements.tick)

  expect(await support.mailed(parties.owner.email)).toContain('agreement-reminder')
})

test('the end of an agreement is announced although more than a batch ends before it, and was announced', async () => {
  const { prisma } = services
  for (let more = 0; more < batch; more += 1) {
    const id = await agreements.executedBaa(await agreements.makeParties())
    await prisma.agreement.update({ where: { id }, data: { endsAt: inDays(10), remindedDays: 14 } })
  }
  const parties = await agreements.makeParties()
  const last = await agreements.executedBaa(parties)
  await prisma.agreement.update({ where: { id: last }, data: { endsAt: inDays(13) } })

  await ticks(services.agreements.tick)

  expect(await support.mailed(parties.owner.email)).toContain('agreement-expiring')
}, 60_000)

test('a developer is reminded although more than a batch was silent for longer, and reminded', async () => {
  const { prisma } = services
  const now = services.clock()
  const register = async (silentSince: Date, reminders: number) => {
    const { organizationId, owner } = await support.team()
    const form = completeForm()
    await prisma.registration.create({
      data: {
        kind: 'app',
        organizationId,
        createdById: owner.accountId,
        name: form.name,
        form,
        state: 'needs_info',
        silentSince,
        reminders,
        createdAt: now,
        updatedAt: now,
      },
    })
    return owner
  }
  for (let more = 0; more < batch; more += 1) await register(daysAgo(8), 1)
  const last = await register(daysAgo(7), 0)

  await ticks(services.registrations.tick)

  expect(await support.mailed(last.email)).toContain('registration-reminder')
})

test('a row that changes without saying when it is next due is looked at by the next tick', async () => {
  const id = await request({})
  const change = async (data: object) => {
    const row = await services.prisma.productionKeyRequest.update({ where: { id }, data })
    return row.nextActionAt
  }

  expect(await change({ nextActionAt: null })).toBeNull()
  expect(await change({ version: { increment: 1 } })).toEqual(new Date(0))
})

test('a row whose step fails stops no other, and is tried again later', async () => {
  const broken = await request({ silentSince: daysAgo(40), justification: 'broken' })
  await services.database.ownerPool.query(`
    CREATE FUNCTION portal.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'broken'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE OF state ON portal.production_key_request
      FOR EACH ROW WHEN (OLD.justification = 'broken') EXECUTE FUNCTION portal.refuse()`)
  const whole = await request({ silentSince: daysAgo(35) })

  const outcome = await services.productionKeys.tick(services.clock(), 1).catch((thrown: unknown) => thrown)

  expect(outcome).toBeInstanceOf(Error)
  expect(await support.stateOf(broken)).toBe('needs_info')
  expect(await support.stateOf(whole)).toBe('withdrawn')
  await services.database.ownerPool.query('DROP TRIGGER refuse ON portal.production_key_request')
  services.advance(60_000)
  await services.productionKeys.tick(services.clock(), 1)
  expect(await support.stateOf(broken)).toBe('withdrawn')
})
