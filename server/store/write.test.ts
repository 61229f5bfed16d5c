import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { exampleOrganization, examplePatient } from '../../tests/support/example-resources.ts'
import { planPatientList, planRead } from '../search/lists.ts'
import { noLiveness } from './liveness.ts'
import { createStore, type Store } from './store.ts'

const clock = () => new Date('2026-11-20T12:00:00.000Z')
const asSeed = { liveness: noLiveness }

const database = await testDatabase('schema')
const store: Store = createStore({ pool: database.pool, clock })
const dataset: number = await store.datasets.create({ name: 'writing', kind: 'practice', source: 'test' })
await store.datasets.markReady(dataset)

async function read(id: string): Promise<Record<string, unknown>> {
  const { resource } = await store.read(dataset, planRead('Patient', id), noLiveness)
  return JSON.parse(String(resource?.content ?? null))
}

test('replacing a resource raises its version and leaves no index row of the old one', async () => {
  await store.write(
    dataset,
    [examplePatient({ id: 'pt-2', family: 'Beforename', mrn: 'OLD-1', born: '1980' })],
    asSeed,
  )

  await store.write(
    dataset,
    [examplePatient({ id: 'pt-2', family: 'Aftername', mrn: 'NEW-1', born: '1990' })],
    asSeed,
  )

  const find = (query: object) =>
    store
      .search(dataset, planPatientList({ limit: 10, offset: 0, ...query }), noLiveness)
      .then(({ matches }) => matches.length)
  expect(await read('pt-2')).toMatchObject({ meta: { versionId: '2' }, birthDate: '1990' })
  expect(
    await Promise.all([find({ q: 'beforename' }), find({ mrn: 'OLD-1' }), find({ dob: '1980' })]),
  ).toEqual([0, 0, 0])
  expect(
    await Promise.all([find({ q: 'aftername' }), find({ mrn: 'NEW-1' }), find({ dob: '1990' })]),
  ).toEqual([1, 1, 1])
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM clinical.moment WHERE id = 'pt-2') AS moments,
            (SELECT count(*)::int FROM clinical.name WHERE id = 'pt-2' AND value = 'beforename') AS names`,
  )
  expect(rows[0]).toEqual({ moments: 1, names: 0 })
})

test('one bad resource refuses the whole write', async () => {
  const good = examplePatient({ id: 'pt-3', family: 'Samplewood' })

  for (const [bad, field] of [
    [{ resourceType: 'Patient', id: 'no spaces' }, 'id'],
    [{ resourceType: 'Patient' }, 'id'],
    [{ resourceType: 'Claim', id: 'c' }, 'resourceType'],
  ] as const) {
    await expect(store.write(dataset, [good, bad], asSeed)).rejects.toMatchObject({
      kind: 'validation',
      field,
    })
  }
  await expect(store.write(dataset, [good, good], asSeed)).rejects.toMatchObject({ kind: 'validation' })
  expect(await read('pt-3')).toBeNull()
})

test('a NUL or an endless identifier is refused, and a name may hold anything', async () => {
  const refused = ['a\0b', 'x'.repeat(300)].map((mrn) =>
    examplePatient({ id: 'pt-4', family: 'Testwell', mrn }),
  )
  const odd = examplePatient({
    id: 'pt-5',
    family: `\0\ud800${'試'.repeat(4_000)}`,
    given: ['"\n\\', '', '𠮷'],
  })

  for (const patient of refused) {
    await expect(store.write(dataset, [patient], asSeed)).rejects.toMatchObject({ kind: 'validation' })
  }
  await store.write(dataset, [odd], asSeed)

  expect(await read('pt-5')).toMatchObject({ name: odd.name })
})

test('what throws inside the transaction undoes the write', async () => {
  const within = async () => {
    throw new Error('the audit row was refused')
  }

  await expect(
    store.write(dataset, [examplePatient({ id: 'pt-6', family: 'Testwell' })], { ...asSeed, within }),
  ).rejects.toThrow('the audit row was refused')

  expect(await read('pt-6')).toBeNull()
})

describe('two at once', () => {
  test('twenty writers of one resource each get a version of their own, or are told of the conflict', async () => {
    await store.write(dataset, [examplePatient({ id: 'pt-7', family: 'Start' })], asSeed)

    const writes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.write(dataset, [examplePatient({ id: 'pt-7', family: `Writer${index}` })], asSeed),
      ),
    )

    const versions = writes.map((each) => each.resources[0]?.version ?? 0).sort((a, b) => a - b)
    expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 2))
  })

  test('of two creators of one id, one is told of the conflict or follows the other', async () => {
    const results = await Promise.allSettled(
      ['One', 'Two', 'Three'].map((family) =>
        store.write(dataset, [examplePatient({ id: 'pt-8', family })], asSeed),
      ),
    )

    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.kind] : []))
    expect(new Set(refused).size).toBeLessThanOrEqual(1)
    expect(refused.every((kind) => kind === 'conflict')).toBe(true)
    const { meta } = (await read('pt-8')) as { meta: { versionId: string } }
    expect(Number(meta.versionId)).toBe(3 - refused.length)
  })

  test('writers of the same resources in opposite order do not wait for each other in a ring', async () => {
    const pair = ['pt-9a', 'pt-9b'].map((id) => examplePatient({ id, family: 'Testwell' }))
    await store.write(dataset, pair, asSeed)

    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        store.write(dataset, index % 2 ? pair : [...pair].reverse(), asSeed),
      ),
    )

    expect(await read('pt-9a')).toMatchObject({ meta: { versionId: '13' } })
  })
})

test('a shared dataset takes writes while it is loaded and none afterwards', async () => {
  const shared = await store.datasets.create({ name: 'shared', kind: 'template', source: 'test' })
  const organization = exampleOrganization('org-1', 'Example Practice')
  const stamp = new Date('2026-11-15T12:00:00.000Z')

  const loaded = await store.write(shared, [organization], { ...asSeed, stamp })
  await store.datasets.markReady(shared)

  expect(loaded.resources[0]?.lastUpdated).toEqual(stamp)
  await expect(store.write(shared, [organization], asSeed)).rejects.toMatchObject({ kind: 'forbidden' })
  await expect(store.write(999_999, [organization], asSeed)).rejects.toMatchObject({ kind: 'conflict' })
})

test('a provenance lies in the chart of what it is about, written together or later', async () => {
  const provenance = (id: string, target: string) => ({
    resourceType: 'Provenance',
    id,
    target: [{ reference: 'Organization/org-1' }, { reference: target }],
  })
  const condition = { resourceType: 'Condition', id: 'cd-1', subject: { reference: 'Patient/pt-1' } }
  await store.write(dataset, [provenance('pv-1', 'Condition/cd-1'), condition], asSeed)

  await store.write(
    dataset,
    [
      provenance('pv-2', 'Condition/cd-1'),
      provenance('pv-3', 'Patient/pt-9'),
      provenance('pv-4', 'Goal/none'),
    ],
    asSeed,
  )

  const { rows } = await database.pool.query(
    `SELECT id, patient_id FROM clinical.resource WHERE dataset_id = $1 AND id LIKE 'pv-%' ORDER BY id`,
    [dataset],
  )
  expect(rows).toEqual([
    { id: 'pv-1', patient_id: 'pt-1' },
    { id: 'pv-2', patient_id: 'pt-1' },
    { id: 'pv-3', patient_id: 'pt-9' },
    { id: 'pv-4', patient_id: null },
  ])
})
