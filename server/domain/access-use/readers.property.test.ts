/** Who has access, Use and the access record name the same keys and apps, whatever happened in the last weeks. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { type AccessRow, insertRecords, type LogRecord } from '../../audit/log-rows.ts'
import { useDays } from '../../contract/portal/access-use.ts'
import { readDays } from './count-days.ts'
import { describeUse, lastDays } from './read-use.ts'

const support = productionKeySupport(() => services)
const dayMs = 86_400_000
const pages = Array.from({ length: 5 }, (_, index) => index + 1)

const services = await registrationServices({ template: 'schema' })
const team = await support.team()

/** One caller: what it is, whether its access has ended, and its calls by day. */
const caller = fc.record({
  kind: fc.constantFrom('request', 'key', 'backend', 'patient', 'clinician'),
  ended: fc.boolean(),
  calls: fc.array(
    fc.record({
      daysAgo: fc.integer({ min: 0, max: useDays + 5 }),
      outcome: fc.constantFrom<AccessRow['outcome']>('served', 'served', 'refused'),
      count: fc.integer({ min: 0, max: 3 }),
      /** A token request names the app as its principal. */
      token: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
})
type Caller = typeof caller extends fc.Arbitrary<infer Value> ? Value : never

type Made = { subject: string; name: string; keyId: string | null; clientId: string | null }

async function make(practiceId: string, { kind, ended }: Caller, number: number): Promise<Made> {
  const { prisma } = services
  const now = services.clock()
  const createdAt = new Date(now.getTime() - 60 * dayMs)
  const name = `Reader ${number}`
  if (kind === 'request' || kind === 'key') {
    const { organizationId } = team
    const { accountId } = team.owner
    const request =
      kind === 'key'
        ? null
        : await prisma.productionKeyRequest.create({
            data: {
              ...{ organizationId, practiceId, requestedById: accountId, name, level: 'read_only' },
              ...{ practiceSlug: '', termDays: 90, state: ended ? 'revoked' : 'active', createdAt },
              updatedAt: createdAt,
            },
          })
    const { id } = await prisma.apiKey.create({
      data: {
        ...{
          name,
          prefix: `svc_l${randomUUID().slice(0, 7)}`,
          level: 'read_only',
          environment: 'production',
        },
        ...{ secretHash: crypto.getRandomValues(new Uint8Array(32)), practiceId, organizationId, createdAt },
        ...{ createdById: accountId, expiresAt: new Date(now.getTime() + dayMs) },
        ...{ revokedAt: ended ? now : null, productionRequestId: request?.id ?? null },
      },
    })
    return { subject: `key ${request?.id ?? id}`, name, keyId: id, clientId: null }
  }
  const clientId = randomUUID()
  await prisma.client.create({
    data: {
      ...{ id: clientId, appId: randomUUID(), name, environment: 'production', audience: kind, createdAt },
      ...{ authentication: 'none', redirectUris: [], scope: '' },
    },
  })
  const { accountId } = await support.person('practice', 'Wren Testwell')
  await prisma.grant.create({
    data: {
      ...{ clientId, practiceId, audience: kind, accountId, scope: '', createdAt, activatedAt: createdAt },
      revokedAt: ended ? now : null,
      accessTokens: {
        create: {
          ...{ tokenHash: crypto.getRandomValues(new Uint8Array(32)), scope: '', createdAt },
          expiresAt: new Date(now.getTime() + dayMs),
        },
      },
    },
  })
  if (kind === 'backend')
    await prisma.practiceSystemAuthorization.create({
      data: {
        ...{ practiceId, clientId, state: ended ? 'revoked' : 'granted', scope: '', requestedAt: createdAt },
        purpose: 'Counts visits.',
      },
    })
  return { subject: `app ${clientId}`, name, keyId: null, clientId }
}

function callOf(practiceId: string, made: Made, call: Caller['calls'][number]): LogRecord {
  const at = new Date(services.clock().getTime() - call.daysAgo * dayMs)
  const correlationId = randomUUID()
  const refused = call.outcome !== 'served'
  const isToken = call.token && made.clientId !== null
  return {
    activity: {
      ...{
        at,
        door: made.keyId ? 'rest' : 'fhir',
        environment: 'production',
        method: 'GET',
        route: '/patients',
      },
      ...{ keyId: made.keyId, clientId: made.clientId, claimedPrefix: null, practiceId, correlationId },
      ...{ status: refused ? 403 : 200, refusal: refused ? 'class_not_allowed' : null, ip: '203.0.113.9' },
      ...{ clientCorrelationId: null, durationMs: 1, fromBrowser: false },
    },
    access: {
      ...{ at, practiceId, correlationId, outcome: call.outcome, purpose: 'treatment' },
      ...{ principalKind: made.keyId ? 'api_key' : 'smart_token', action: isToken ? 'token' : 'search' },
      principalId: made.keyId ?? (isToken ? (made.clientId ?? '') : 'Patient/pt-1'),
      clientId: isToken ? null : made.clientId,
      resourceType: isToken ? null : 'Patient',
      ...{ patientId: null, count: refused || isToken ? 0 : call.count },
    },
  }
}

test('three pages name the same readers with the same number of calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(caller, { maxLength: 6 }), async (callers) => {
      const [office, other] = [await support.office(), await support.office()]
      const [{ practiceId }, actor] = [office, office.admin.fresh()]
      const made = await Promise.all(callers.map((each, number) => make(practiceId, each, number)))
      const records = callers.flatMap((each, number) =>
        each.calls.map((call) => callOf(practiceId, made[number] as Made, call)),
      )
      if (records.length > 0) await services.pool.query(insertRecords(records))

      const access = await readAll((page) =>
        services.practiceConsole
          .read(practiceId, actor, { ask: { q: '', page } })
          .then(({ listed }) => listed),
      )
      const days = await readDays(services.core, practiceId, lastDays(services.core))
      const use = await describeUse(services.core, days)
      const from = new Date(
        `${new Date(services.clock().getTime() - (useDays - 1) * dayMs).toISOString().slice(0, 10)}T00:00:00Z`,
      )
      const record = (await services.practiceAudit.access(practiceId, { from, limit: 1_000 }, actor)).rows

      const keyOf = (row: { subject: { kind: string; id: string } }) =>
        `${row.subject.kind} ${row.subject.id}`
      const read = new Set(
        record
          .filter(({ outcome }) => outcome === 'served')
          .map((row) => `${row.subject?.kind} ${row.subject?.id}`),
      )
      const live = made.filter((_, number) => callers[number]?.ended === false).map(({ subject }) => subject)
      const names = new Map(made.map(({ subject, name }) => [subject, name]))
      const calls = new Map(use.map((row) => [`${row.kind} ${row.id}`, row.figures.calls]))
      // Who read is listed, also once its access has ended.
      expect(access.map(keyOf).sort()).toEqual([...new Set([...live, ...read])].sort())
      expect(
        access
          .filter(({ ended }) => !ended)
          .map(keyOf)
          .sort(),
      ).toEqual(live.sort())
      expect([...new Set(record.map((row) => `${row.subject?.kind} ${row.subject?.id}`))].sort()).toEqual(
        [...calls.keys()].sort(),
      )
      for (const row of access) {
        expect([row.name, row.calls]).toEqual([names.get(keyOf(row)), calls.get(keyOf(row)) ?? 0])
      }
      for (const row of record)
        expect(row.who).toContain(names.get(`${row.subject?.kind} ${row.subject?.id}`))
      for (const row of use) expect(row.name).toBe(names.get(`${row.kind} ${row.id}`))
      expect((await services.practiceConsole.read(other.practiceId, other.admin.fresh())).listed.total).toBe(
        0,
      )
    }),
    { numRuns: 10, seed: 38 },
  )
}, 60_000)

async function readAll<Row>(
  read: (page: number) => Promise<{ rows: readonly Row[]; pages: number }>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const page of pages) {
    const found = await read(page)
    rows.push(...found.rows)
    if (page >= found.pages) break
  }
  return rows
}
