/** Nobody reaches another practice, another patient, or a type that was not granted: swept over the registry. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type AccessRow, type ActivityRow, writtenWithRead } from '../../server/audit/log-rows.ts'
import { fhirOperations } from '../../server/contract/fhir/operations.ts'
import { type FhirType, fhirRegistry } from '../../server/contract/fhir/registry.ts'
import { planRead } from '../../server/search/lists.ts'
import { entriesOf, fhirStack, matchesOf } from '../support/fhir.ts'
import { masked } from '../support/masked.ts'

const types = Object.keys(fhirRegistry) as FhirType[]
const inChart = (type: FhirType) => fhirRegistry[type].compartment !== null
const patientId = 'pt-wren-testwell'
const here = 'sandbox-template'
const there = 'sandpiper-demonstration'

const stack = await fhirStack()
const practices = await stack.services.prisma.practice.findMany({ where: { slug: { in: [here, there] } } })
const datasets = Object.fromEntries(practices.map(({ slug, datasetId }) => [slug, datasetId]))
// The same ids, other data: every resource over there says where it is from.
await stack.services.database.ownerPool.query(
  `UPDATE clinical.resource SET content = '{"language":"x-there",' || substr(content, 2)
   WHERE dataset_id = $1 AND content <> ''`,
  [datasets[there]],
)
const backendHere = (await stack.issueToken({ practice: here, audience: 'backend' })).token
const backendThere = (await stack.issueToken({ practice: there, audience: 'backend' })).token
const emptyChart = (
  await stack.issueToken({ practice: here, audience: 'patient', patientId: 'pt-nil-stubwell' })
).token
const only = async (scope: string) =>
  (await stack.issueToken({ practice: here, audience: 'backend', scope })).token
const narrow = { Patient: await only('system/Patient.rs'), Group: await only('system/Group.rs') }

/** A search that a backend may send, of this type. */
const searchOf = (type: FhirType, patient = patientId) =>
  inChart(type) ? `${type}?${type === 'Patient' ? '_id' : 'patient'}=${patient}` : type

/** Every interaction of a type, on a resource that both practices have. */
function interactionsOf(type: FhirType, id: string): { path: string; method?: string; body?: string }[] {
  const operations = Object.values(fhirOperations)
    .filter((each) => each.type === type)
    .map(({ name, level }) => ({
      path: level === 'instance' ? `${type}/${id}/$${name}` : `${type}/$${name}?patient=${patientId}`,
    }))
  const [, query = ''] = searchOf(type).split('?')
  return [
    { path: `${type}/${id}` },
    { path: searchOf(type) },
    { path: `${type}/_search`, method: 'POST', body: query },
    ...operations,
  ]
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('a token of another practice', () => {
  test.each(types)('reaches nothing of %s, and the store is not asked', async (type) => {
    const own = await stack.call(searchOf(type), { token: backendThere, practice: there })
    const id: string = entriesOf(own)[0]?.resource.id ?? 'nobody'
    const asked: number[] = []
    const stop = stack.services.store.onStatement(({ name, datasetId }) => {
      if (!name.startsWith('alive:')) asked.push(datasetId)
    })

    const answers = await Promise.all(
      interactionsOf(type, id).map(({ path, ...rest }) =>
        stack.call(path, { token: backendHere, practice: there, headers: form, ...rest }),
      ),
    )

    stop()
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
    expect(new Set(answers.map(({ text }) => masked(text))).size).toBe(1)
    expect(asked).toEqual([])
  })

  test.each(types)('never finds the other practice’s %s at its own base', async (type) => {
    const asked = new Set<number>()
    const stop = stack.services.store.onStatement(({ datasetId }) => asked.add(datasetId))
    const found = await stack.call(searchOf(type), { token: backendHere, practice: here })
    const id: string = entriesOf(found)[0]?.resource.id ?? 'nobody'

    const answers = await Promise.all(
      interactionsOf(type, id).map(({ path, ...rest }) =>
        stack.call(path, { token: backendHere, practice: here, headers: form, ...rest }),
      ),
    )
    stop()

    const theirs = await stack.call(searchOf(type), { token: backendThere, practice: there })
    expect([found, ...answers].filter(({ text }) => text.includes('x-there'))).toEqual([])
    // What is computed carries no mark of its own; whom it names is asked of the data set alone.
    const isStored = fhirRegistry[type].computed === undefined
    expect(entriesOf(theirs).every(({ resource }) => !isStored || resource.language === 'x-there')).toBe(true)
    expect([...asked].filter((dataset) => dataset !== datasets[here] && dataset !== 0)).toEqual([])
  })
})

describe('a patient’s token', () => {
  test.each(types)('sees of %s nothing of another chart, by search or by id', async (type) => {
    const token = emptyChart
    const others = await stack.call(searchOf(type), { token: backendHere, practice: here })
    const id: string = entriesOf(others)[0]?.resource.id ?? 'nobody'

    const all = await stack.call(type, { token, practice: here })
    const named = await stack.call(searchOf(type), { token, practice: here })
    const byId = await stack.call(`${type}/${id}`, { token, practice: here })

    if (fhirRegistry[type].audience !== undefined) {
      expect([all.status, named.status, byId.status]).toEqual([403, 403, 403])
      return
    }
    if (!inChart(type)) {
      expect([all.status, byId.status]).toEqual([200, entriesOf(others).length > 0 ? 200 : 404])
      return
    }
    const own = await stack.call(searchOf(type, 'pt-nil-stubwell'), { token: backendHere, practice: here })
    expect([all.status, named.status, byId.status]).toEqual([200, 403, 404])
    expect(matchesOf(all)).toEqual(matchesOf(own))
  })

  test('is told the same of an operation on another’s chart as of one on nobody’s', async () => {
    const token = emptyChart
    const call = (path: string) => stack.call(path, { token, practice: here })
    const document = entriesOf(
      await stack.call('DocumentReference?patient=pt-otis-samplewood', {
        token: backendHere,
        practice: here,
      }),
    )[0]?.resource.id

    const pairs = [
      [await call(`Patient/${patientId}/$everything`), await call('Patient/nobody/$everything')],
      [await call(`Patient/${patientId}/$ccda`), await call('Patient/nobody/$ccda')],
      [
        await call(`DocumentReference/${document}/$attachment`),
        await call('DocumentReference/nobody/$attachment'),
      ],
      [
        await call(`DocumentReference/$docref?patient=${patientId}`),
        await call('DocumentReference/$docref?patient=nobody'),
      ],
    ]

    expect(pairs.map((pair) => pair.map(({ status }) => status))).toEqual([
      [404, 404],
      [404, 404],
      [404, 404],
      [403, 403],
    ])
    for (const [one, other] of pairs) expect(masked(one?.text ?? '')).toBe(masked(other?.text ?? ''))
  })
})

describe('a type', () => {
  test.each(types)('that is not granted is 403 before the store is asked: %s', async (type) => {
    const token = type === 'Patient' ? narrow.Group : narrow.Patient
    const asked: string[] = []
    const stop = stack.services.store.onStatement(({ name }) => {
      if (!name.startsWith('alive:')) asked.push(name)
    })

    const answers = await Promise.all(
      interactionsOf(type, 'nobody').map(({ path, ...rest }) =>
        stack.call(path, { token, practice: here, headers: form, ...rest }),
      ),
    )
    stop()

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
    expect(asked).toEqual([])
  })

  test('that the practice’s policy keeps in is 403 from the next request on', async () => {
    const { prisma } = stack.services
    const { token } = await stack.issueToken({ practice: here })
    const path = `Condition?patient=${patientId}`
    const before = await stack.call(path, { token, practice: here })

    await prisma.practice.update({ where: { slug: here }, data: { fhirTypes: ['Patient', 'Observation'] } })
    const after = await stack.call(path, { token, practice: here })
    const still = await stack.call(`Observation?patient=${patientId}`, { token, practice: here })
    await prisma.practice.update({ where: { slug: here }, data: { fhirTypes: [] } })

    expect([before.status, after.status, still.status]).toEqual([200, 403, 200])
  })
})

test('read and search are granted apart', async () => {
  const reader = (await stack.issueToken({ practice: here, scope: 'user/Patient.r' })).token
  const searcher = (await stack.issueToken({ practice: here, scope: 'user/Patient.s' })).token
  const status = async (path: string, token: string) =>
    (await stack.call(path, { token, practice: here })).status

  expect(await status(`Patient/${patientId}`, reader)).toBe(200)
  expect(await status(`Patient?_id=${patientId}`, reader)).toBe(403)
  expect(await status(`Patient/${patientId}`, searcher)).toBe(403)
  expect(await status(`Patient?_id=${patientId}`, searcher)).toBe(200)
})

describe('reads that come at the same time', () => {
  const read = (token: string, practice: string, id = patientId) =>
    stack.call(`Patient/${id}`, { token, practice })

  async function together<Answers extends readonly unknown[]>(
    ask: () => Promise<Answers>,
  ): Promise<{ answers: Answers; statements: string[] }> {
    const statements: string[] = []
    const stop = stack.services.store.onStatement(({ name, datasetId }) =>
      statements.push(`${name} ${datasetId}`),
    )
    const answers = await ask()
    stop()
    return { answers, statements }
  }

  test('are one statement, and each sees what its own token sees', async () => {
    const revoked = await stack.issueToken({ practice: here })
    const own = (await stack.issueToken({ practice: here, audience: 'patient', patientId })).token
    const reader = (await stack.issueToken({ practice: here, scope: 'user/Patient.r' })).token
    const ask = () =>
      Promise.all([
        read(reader, here),
        read(backendThere, there),
        read(own, here),
        read(emptyChart, here),
        read(reader, here, 'nobody'),
        read(revoked.token, here),
      ])
    // Known to the server, all of them, before one is revoked.
    const before = await ask()
    await stack.services.prisma.accessToken.update({
      where: { id: revoked.tokenId },
      data: { revokedAt: stack.services.clock() },
    })

    const { answers, statements } = await together(ask)

    expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 404, 404, 200])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 404, 401])
    expect(answers.map(({ body }) => body.language ?? null)).toEqual([
      null,
      'x-there',
      null,
      null,
      null,
      null,
    ])
    expect(answers[0]?.text).toBe(before[5]?.text)
    expect(masked(answers[3]?.text ?? '')).toBe(masked(answers[4]?.text ?? ''))
    const batched = statements.filter((each) => each.startsWith('batch-read-written ')).sort()
    expect(batched).toEqual(
      [here, here, here, here, here, there].map((slug) => `batch-read-written ${datasets[slug]}`).sort(),
    )
  })

  test('are read all the same when the database refuses the record of one, and none is recorded yet', async () => {
    const { database, prisma, store, clock } = stack.services
    const { id: practiceId, datasetId } = await prisma.practice.findUniqueOrThrow({ where: { slug: here } })
    const { tokenId } = await stack.issueToken({ practice: here })
    const now = clock()
    const liveness = { kind: 'smart_token', tokenId, typesAllowed: null, practiceId, datasetId, now } as const
    const plan = planRead('Patient', patientId)
    const correlationId = randomUUID()
    const common = { at: now, practiceId, correlationId, method: 'GET', route: '*', status: 200 }
    const activity = { ...common, door: 'fhir', durationMs: 1, fromBrowser: false } as ActivityRow
    const who = { principalKind: 'smart_token', principalId: 'grant', action: 'read', purpose: 'treatment' }
    const access = { ...common, ...who, count: 1, outcome: 'served' } as unknown as AccessRow
    const good = writtenWithRead({ activity, access })
    const bad = writtenWithRead({ activity: { ...activity, claimedPrefix: 'longer than it is' }, access })
    const ask = (...records: (typeof good)[]) =>
      Promise.all(records.map((record) => store.read(datasetId, plan, liveness, record)))
    const count = () =>
      database.pool.query('SELECT FROM log.activity WHERE correlation_id = $1', [correlationId])

    const answers = await ask(good, bad, undefined)
    const { rowCount } = await count()
    const [again] = await ask(good, undefined)

    expect(answers.map(({ resource }) => resource?.id)).toEqual([patientId, patientId, patientId])
    expect(answers.map(({ isRecorded }) => isRecorded)).toEqual([undefined, undefined, undefined])
    expect([rowCount, again?.isRecorded, (await count()).rowCount]).toEqual([0, true, 1])
  })

  test('follow the practice’s policy from the next request on', async () => {
    const { prisma } = stack.services
    const [one, other] = [
      await stack.issueToken({ practice: here }),
      await stack.issueToken({ practice: here }),
    ]
    const ask = () => Promise.all([read(one.token, here), read(other.token, here)])
    const before = await ask()

    await prisma.practice.update({ where: { slug: here }, data: { fhirTypes: ['Patient', 'Observation'] } })
    const named = await ask()
    const again = await ask()
    await prisma.practice.update({ where: { slug: here }, data: { fhirTypes: ['Observation'] } })
    const kept = await ask()
    await prisma.practice.update({ where: { slug: here }, data: { fhirTypes: [] } })

    const statuses = [before, named, again, kept].map((pair) => pair.map(({ status }) => status))
    expect(statuses).toEqual([
      [200, 200],
      [200, 200],
      [200, 200],
      [403, 403],
    ])
  })
})
