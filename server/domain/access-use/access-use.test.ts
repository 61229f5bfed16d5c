/** The figures per key, app and day equal what the log holds, kept or counted now; who sees them; the report. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { type AccessRow, type ActivityRow, insertRecords, type LogRecord } from '../../audit/log-rows.ts'
import { countDays, keepDays, readDays } from './count-days.ts'
import { describeUse, lastDays } from './read-use.ts'

const support = productionKeySupport(() => services)
const dayMs = 86_400_000

const clientId = 'app-use'
const utcDay = (at: Date) => at.toISOString().slice(0, 10)
/** In the past of the test's clock, so that later days stay free. */
const ago = (days: number, hour = 10) =>
  new Date(
    Date.parse(`${utcDay(new Date(services.clock().getTime() - days * dayMs))}T00:00:00Z`) + hour * 3_600_000,
  )

function call(at: Date, changes: Partial<ActivityRow> = {}, access: Partial<AccessRow> = {}): LogRecord {
  const correlationId = randomUUID()
  const practiceId = scene.office.practiceId
  const activity: ActivityRow = {
    ...{ at, door: 'rest', environment: 'production', keyId, claimedPrefix: null, practiceId, method: 'GET' },
    ...{ route: '/patients', status: 200, ip: '203.0.113.9', correlationId, clientCorrelationId: null },
    ...{ durationMs: 1, refusal: null, fromBrowser: false },
    ...changes,
  }
  const isApp = activity.keyId === null
  return {
    activity,
    access: {
      ...{
        at,
        practiceId,
        action: 'read',
        resourceType: 'Patient',
        patientId: 'p1',
        count: 1,
        purpose: 'treatment',
      },
      principalKind: isApp ? 'backend_token' : 'api_key',
      principalId: isApp ? clientId : (activity.keyId ?? ''),
      clientId: isApp ? clientId : null,
      outcome: activity.refusal === null ? 'served' : 'refused',
      correlationId,
      ...access,
    },
  }
}

const write = (records: readonly LogRecord[]) => services.pool.query(insertRecords(records))
const list = async () =>
  describeUse(services.core, await readDays(services.core, scene.office.practiceId, lastDays(services.core)))

const services = await registrationServices({ template: 'schema' })
const scene = await support.working()
const keyId = (
  await services.prisma.apiKey.findFirstOrThrow({ where: { productionRequestId: scene.requestId } })
).id
await services.prisma.client.create({
  data: {
    ...{ id: clientId, appId: randomUUID(), name: 'Tidepath reports', scope: 'system/Patient.rs' },
    ...{ environment: 'production', audience: 'backend', authentication: 'private_key_jwt' },
    createdAt: services.clock(),
  },
})
await services.prisma.grant.create({
  data: {
    ...{ clientId, practiceId: scene.office.practiceId, audience: 'backend', scope: 'system/Patient.rs' },
    createdAt: services.clock(),
  },
})
await write([
  call(ago(3), {}, { patientId: null, patientIds: ['p1', 'p2', 'p3'], count: 3 }),
  call(ago(3, 11), { ip: '2001:db8:7:1::5', fromBrowser: true }, { resourceType: 'Observation', count: 4 }),
  call(ago(3, 11), { status: 404, refusal: 'not_found' }, { count: 0 }),
  call(ago(3, 12), { status: 403, refusal: 'class_not_allowed' }, { count: 0 }),
  // Anybody can send a wrong key from anywhere.
  call(ago(3, 12), { status: 401, refusal: 'wrong_secret', ip: '198.51.100.1' }, { count: 0 }),
  call(ago(1), {}, { patientId: 'p9' }),
  call(ago(0, 0), {}, { patientId: 'p4' }),
  call(
    ago(2),
    { keyId: null, clientId, door: 'fhir' },
    { resourceType: 'Condition', patientId: 'p5', count: 2 },
  ),
  call(
    ago(2),
    { keyId: null, clientId, door: 'fhir' },
    { action: 'export_file', patientId: null, count: 9, exportId: 'e0000000-0000-4000-8000-000000000001' },
  ),
  call(
    ago(2),
    { keyId: null, clientId, door: 'fhir' },
    { action: 'export_file', patientId: null, count: 9, exportId: 'e0000000-0000-4000-8000-000000000001' },
  ),
])
await services.pool.query(
  `INSERT INTO log.export_patients (at, export_id, first_id, last_id, patient_ids, types, type_names)
   VALUES ($1, 'e0000000-0000-4000-8000-000000000001', 'p5', 'p7', '{p5,p6,p7}', '{1,1,1}', '{Patient}')`,
  [ago(2)],
)

describe('figures', () => {
  const expected = () => [
    {
      ...{ kind: 'key', name: 'Nightly import', organizationName: 'Samplewood Health Apps', refused: 2 },
      classes: ['demographics and identifiers', 'vital signs or social history or results'],
      sources: [
        { network: '203.0.113.0/24', calls: 5 },
        { network: '2001:db8:7::/48', calls: 1 },
      ],
      figures: {
        ...{ calls: 7, served: 4, notFound: 1, browserCalls: 1, patients: 3, peakPatients: 3, exports: 0 },
        refusals: { class_not_allowed: 1, wrong_secret: 1 },
        types: { Patient: 5, Observation: 4 },
        lastAt: ago(0, 0).toISOString(),
      },
    },
    {
      ...{ kind: 'app', id: clientId, name: 'Tidepath reports', label: 'Backend system', refused: 0 },
      figures: { calls: 3, patients: 3, peakPatients: 1, exports: 1, types: { Condition: 2, Patient: 18 } },
    },
  ]

  test('are those of the log, counted now, kept once, and kept twice', async () => {
    expect(await list()).toMatchObject(expected())
    const range = { from: utcDay(ago(29)), until: utcDay(ago(0)) }
    const live = await readDays(services.core, scene.office.practiceId, range)

    await Promise.all([keepDays(services.core), keepDays(services.core)])
    const kept = await services.prisma.accessDay.findMany()
    expect(kept.length).toBe(live.filter(({ day }) => day < utcDay(ago(0))).length)
    expect(await list()).toMatchObject(expected())
    expect(await readDays(services.core, scene.office.practiceId, range)).toEqual(
      expect.arrayContaining(live),
    )

    await services.prisma.accessCounted.deleteMany()
    await keepDays(services.core)
    expect(await services.prisma.accessDay.findMany()).toEqual(kept)
    expect(await keepDays(services.core)).toBe(0)
  })

  test('of today are those of the last look when counting takes too long', async () => {
    const range = { from: utcDay(ago(1)), until: utcDay(ago(0)) }
    const { practiceId } = scene.office
    const counted = await readDays(services.core, practiceId, range)
    await services.accessAlerts.raiseAlerts()
    const slow = {
      ...services.core,
      pool: {
        query: async () => {
          throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
        },
      } as never,
    }

    expect(counted.length).toBeGreaterThan(1)
    expect(await readDays(slow, practiceId, range)).toEqual(counted)
  })

  test('of every practice at once are those of each practice', async () => {
    const range = { from: utcDay(ago(29)), until: utcDay(ago(0)) }
    const all = await countDays(services.core, { practiceId: null, ...range })
    const own = await countDays(services.core, { practiceId: scene.office.practiceId, ...range })
    expect(own.length).toBeGreaterThan(3)
    expect(all.filter(({ practiceId }) => practiceId === scene.office.practiceId)).toEqual(own)
  })
})

test('only admins of the practice see any of it', async () => {
  const { practiceId, signatory } = scene.office
  const other = await support.office()
  const { accessUse } = services
  const target = { practiceId, kind: 'key', id: scene.requestId }
  for (const [who, kind] of [
    [signatory, 'forbidden'],
    [other.admin, 'not_found'],
    [scene.owner, 'not_found'],
  ] as const)
    expect(await kindOfProblem(accessUse.detail(target, who.fresh()))).toBe(kind)
})
