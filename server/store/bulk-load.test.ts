import { expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { exampleOrganization, examplePatient } from '../../tests/support/example-resources.ts'
import type { Resource } from './index-rows.ts'
import { noLiveness } from './liveness.ts'
import { createStore, type Store } from './store.ts'

const stamp = new Date('2026-11-15T12:00:00.000Z')

const database = await testDatabase('schema')
const store: Store = createStore({ pool: database.pool, clock: () => new Date('2026-11-20T12:00:00.000Z') })

const loading = (name: string) => store.datasets.create({ name, kind: 'practice', source: 'test' })

async function rowsOf(dataset: number): Promise<string[]> {
  const tables = ['resource', 'moment', 'coding', 'name', 'identifier', 'roster', 'link']
  const { rows } = await database.pool.query<{ row: string }>(
    tables
      .map(
        (table) =>
          `SELECT '${table}' || (to_jsonb(t) - 'dataset_id')::text AS row FROM clinical.${table} t WHERE dataset_id = ${dataset}`,
      )
      .join(' UNION ALL '),
  )
  return rows.map((each) => each.row).sort()
}

const awkward: Resource[] = [
  exampleOrganization('org-1', 'Tab\there, \\N and \\.'),
  examplePatient({
    id: 'pt-1',
    family: '試験\\',
    given: ['Zoë\n', '\\.', '𠮷'],
    mrn: 'A\\B\tC',
    born: '1971',
  }),
  {
    resourceType: 'Observation',
    id: 'ob-1',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '"\\' }] },
    subject: { reference: 'Patient/pt-1' },
    effectivePeriod: { start: '2020' },
  },
  { resourceType: 'Provenance', id: 'pv-1', target: [{ reference: 'Observation/ob-1' }] },
]

test('it makes the very rows that a write makes', async () => {
  const [written, copied] = [await loading('written'), await loading('copied')]

  await store.write(written, awkward, { liveness: noLiveness, stamp })
  await store.bulkLoad(copied, awkward, { stamp })

  expect(await rowsOf(copied)).toEqual(await rowsOf(written))
})

test('batch after batch makes the same rows, and a batch that fails is told by the next call', async () => {
  const [whole, parts, broken] = [await loading('at-once'), await loading('parts'), await loading('broken')]
  await store.bulkLoad(whole, awkward, { stamp })

  const load = store.beginLoad(parts, { stamp })
  for (const each of awkward) await load.add([each])
  await load.end()
  const doomed = store.beginLoad(broken)
  await doomed.add(awkward.slice(0, 1))
  await doomed.add(awkward.slice(0, 1))

  expect(await rowsOf(parts)).toEqual(await rowsOf(whole))
  await expect(doomed.add(awkward.slice(1))).rejects.toMatchObject({ kind: 'conflict' })
  await expect(doomed.end()).rejects.toMatchObject({ kind: 'conflict' })
  expect(await store.datasets.counts(broken)).toEqual({ Organization: 1 })
})

test('a batch with a resource that is there already, or that cannot be stored, leaves nothing', async () => {
  const dataset = await loading('whole')
  await store.bulkLoad(dataset, [examplePatient({ id: 'pt-1', family: 'Testwell' })])
  const before = await rowsOf(dataset)
  const others = ['pt-2', 'pt-1'].map((id) => examplePatient({ id, family: 'Other' }))

  await expect(store.bulkLoad(dataset, others)).rejects.toMatchObject({ kind: 'conflict' })
  await expect(store.bulkLoad(dataset, [{ resourceType: 'Claim', id: 'x' }])).rejects.toMatchObject({
    kind: 'validation',
  })

  expect(await rowsOf(dataset)).toEqual(before)
})

test('a connection cut off in the middle leaves nothing, and the pool goes on', async () => {
  const dataset = await loading('cut')
  const many = Array.from({ length: 3_000 }, (_, at) =>
    examplePatient({ id: `pt-${at}`, family: 'Testwell' }),
  )
  let over = false
  let cutting = Promise.resolve(0)
  const cutOnce = async () => {
    let cut = 0
    while (cut === 0 && !over) cut = await database.cut("query LIKE 'COPY clinical%'")
    return cut
  }
  const stop = store.onStatement(({ name }) => {
    if (name !== 'copy:clinical.name') return
    stop()
    cutting = cutOnce()
  })

  await store.bulkLoad(dataset, many).catch(() => {})
  over = true
  stop()

  await cutting
  expect([0, 3_000]).toContain((await store.datasets.counts(dataset)).Patient ?? 0)
  const next = await loading('next')
  await store.bulkLoad(next, awkward)
  expect(await store.datasets.counts(next)).toMatchObject({ Patient: 1 })
})

test('what was loaded before its owner is known is adopted', async () => {
  const dataset = await loading('orphans')
  await store.bulkLoad(dataset, awkward.slice(3))
  await store.bulkLoad(dataset, awkward.slice(0, 3))

  expect(await store.adoptOrphans(dataset)).toBe(1)
  expect(await store.adoptOrphans(dataset)).toBe(0)

  const { rows } = await database.pool.query(
    `SELECT patient_id FROM clinical.resource WHERE dataset_id = $1 AND id = 'pv-1'`,
    [dataset],
  )
  expect(rows).toEqual([{ patient_id: 'pt-1' }])
})
