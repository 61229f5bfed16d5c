import { expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { exampleOrganization, examplePatient } from '../../tests/support/example-resources.ts'
import { planPatientList, planRead } from '../search/lists.ts'
import { noLiveness } from './liveness.ts'
import { createStore, type Store } from './store.ts'

const now = new Date('2026-11-20T12:00:00.000Z')

const database = await testDatabase('schema')
const store: Store = createStore({ pool: database.pool, clock: () => now })
const template: number = await loaded('template', 'template')

async function loaded(name: string, kind: 'template' | 'practice'): Promise<number> {
  const id = await store.datasets.create({ name, kind, source: 'test' })
  const people = ['a', 'b', 'c'].map((letter) =>
    examplePatient({ id: `pt-${letter}`, family: `Testwell${letter}`, born: '1971' }),
  )
  await store.write(id, [exampleOrganization('org-1', 'Example'), ...people], { liveness: noLiveness })
  await store.datasets.markReady(id)
  return id
}

async function rowsOf(dataset: number): Promise<number> {
  const tables = ['resource', 'moment', 'coding', 'name', 'identifier', 'roster', 'link']
  const { rows } = await database.pool.query(
    tables
      .map((table) => `SELECT count(*)::int AS n FROM clinical.${table} WHERE dataset_id = ${dataset}`)
      .join(' UNION ALL '),
  )
  return rows.reduce((sum, row) => sum + row.n, 0)
}

test('a copy holds the same texts under the same ids, and is written without touching its source', async () => {
  const copy = await store.datasets.copy(template, { name: 'larkfield-sandbox', kind: 'practice' })
  const text = async (dataset: number) =>
    (await store.read(dataset, planRead('Patient', 'pt-a'), noLiveness)).resource?.content

  expect(await text(copy)).toBe(await text(template))
  expect(await rowsOf(copy)).toBe(await rowsOf(template))
  expect(await store.datasets.counts(copy)).toEqual({ Organization: 1, Patient: 3 })
  await store.write(copy, [examplePatient({ id: 'pt-a', family: 'Changed' })], { liveness: noLiveness })
  const found = await store.search(
    template,
    planPatientList({ q: 'changed', limit: 1, offset: 0 }),
    noLiveness,
  )
  expect(found.matches).toEqual([])
  expect(await text(copy)).not.toBe(await text(template))
})

test('only a whole dataset is copied', async () => {
  const loading = await store.datasets.create({ name: 'half', kind: 'template', source: 'test' })

  await expect(store.datasets.copy(loading, { name: 'x', kind: 'practice' })).rejects.toMatchObject({
    kind: 'conflict',
  })
  await expect(store.datasets.copy(999_999, { name: 'x', kind: 'practice' })).rejects.toMatchObject({
    kind: 'conflict',
  })
})

test('a removed dataset leaves nothing, whoever removes it and how often', async () => {
  const going = await loaded('going', 'practice')

  await Promise.all([store.datasets.remove(going), store.datasets.remove(going)])
  await store.datasets.remove(going)

  expect(await rowsOf(going)).toBe(0)
  expect(await store.datasets.find(going)).toBeNull()
  expect(await rowsOf(template)).toBeGreaterThan(0)
})

test('the data of a practice cannot be removed under it', async () => {
  const used = await loaded('used', 'practice')
  await database.prisma.practice.create({
    data: {
      slug: 'used',
      name: 'Used',
      environment: 'production',
      fhirEnabled: true,
      inDirectory: true,
      purpose: 'office',
      datasetId: used,
      createdAt: now,
    },
  })

  await expect(store.datasets.remove(used)).rejects.toMatchObject({ kind: 'conflict' })

  expect((await store.datasets.find(used))?.state).toBe('ready')
  expect(await rowsOf(used)).toBeGreaterThan(0)
})

test('copies that no practice points at are listed, once they are old enough', async () => {
  const orphan = await loaded('orphan', 'practice')
  const used = await loaded('in-use', 'practice')
  const later = new Date(now.getTime() + 1)

  const unused = await store.datasets.listUnused({ kind: 'practice', usedIds: [used], before: later })

  expect(unused).toContain(orphan)
  expect(unused).not.toContain(used)
  expect(unused).not.toContain(template)
  expect(await store.datasets.listUnused({ kind: 'practice', usedIds: [], before: now })).toEqual([])
})

test('the server’s own role owns none of the tables and may not empty or change them', async () => {
  await expect(database.pool.query('TRUNCATE clinical.resource')).rejects.toThrow('permission denied')
  await expect(database.pool.query('ALTER TABLE clinical.resource ADD COLUMN x int')).rejects.toThrow(
    'must be owner',
  )
})
