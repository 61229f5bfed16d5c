/** However an import is made, by threads, alone or in two goes, it makes the rows that writes make. */
import { beforeAll, expect, test } from 'vitest'
import type { Resource } from '../../server/store/index-rows.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import type { Store } from '../../server/store/store.ts'
import type { TestDatabase } from '../../tests/support/database.ts'
import { examplePatient } from '../../tests/support/example-resources.ts'
import { createImportFixture } from '../../tests/support/import-fixture.ts'
import { slice } from '../../tests/support/slice.ts'
import { defaultSeed } from '../options.ts'
import { practiceBatches } from '../practice-records.ts'
import { getPractice } from '../practices.ts'

const fixture = createImportFixture()
const { practice, ndjson, load, datasetOf } = fixture
let database: TestDatabase
let store: Store
let resources: Resource[]
let written: string[]
let path: string

beforeAll(async () => {
  ;({ database, store } = await fixture.open())
  const options = { ...defaultSeed, patients: 7 }
  resources = [...practiceBatches(getPractice('harbor-family'), options)]
    .flatMap((batch) => batch.resources)
    .sort((a, b) => Number(a.resourceType === 'Provenance') - Number(b.resourceType === 'Provenance'))
  resources.push(
    examplePatient({ id: 'awkward', family: '試験\\', given: ['Zoë\n', '\\.', '𠮷\t'] }) as Resource,
  )
  path = ndjson(...resources)
  const slug = await practice()
  for (let at = 0; at < resources.length; at += 100) {
    await store.write(await datasetOf(slug), resources.slice(at, at + 100), { liveness: noLiveness })
  }
  written = await rowsOf(slug)
})

/** All of a practice but the time of change. */
async function rowsOf(slug: string): Promise<string[]> {
  const dataset = await datasetOf(slug)
  const tables = ['resource', 'moment', 'coding', 'name', 'identifier', 'roster', 'link']
  const { rows } = await database.pool.query<{ row: string }>(
    tables
      .map(
        (table) => `SELECT '${table}' || (to_jsonb(t) - 'dataset_id' - 'last_updated')::text AS row
          FROM clinical.${table} t WHERE dataset_id = ${dataset}`,
      )
      .join(' UNION ALL '),
  )
  return rows.map(({ row }) => row.replace(/(lastUpdated\\":\\")[^\\]+/g, '$1')).sort()
}

test.each(
  slice(
    [
      ['without threads', 0],
      ['by threads', 2],
    ] as const,
    1,
  ),
)('an import %s makes the rows of writes', async (_, threads) => {
  const slug = await practice()

  const { reasons } = await load(slug, [path], { threads })

  expect(resources.length).toBeGreaterThan(500)
  expect(reasons).toEqual([])
  expect(await rowsOf(slug)).toEqual(written)
  const { rows } = await database.pool.query<{ wrong: number }>(
    `SELECT count(*)::int AS wrong FROM clinical.resource WHERE dataset_id = $1
     AND (content::jsonb #>> '{meta,lastUpdated}')::timestamptz <> last_updated`,
    [await datasetOf(slug)],
  )
  expect(rows[0]?.wrong).toBe(0)
})

test('an import that breaks off at any batch is whole after the next run', async () => {
  const whole = await practice()
  const statements: number[] = []
  const stopCounting = store.onStatement(({ name }) => {
    if (name.startsWith('copy:')) statements.push(statements.length)
  })
  await load(whole, [path])
  stopCounting()
  const slug = await practice()

  for (const at of slice([Math.floor(statements.length / 2), 1, statements.length - 1], 1)) {
    let count = 0
    const stop = store.onStatement(({ name }) => {
      if (name.startsWith('copy:')) count += 1
      if (count === at) throw new Error('broken off')
    })
    await load(slug, [path]).catch((error: Error) => expect(error.message).toBe('broken off'))
    stop()
  }
  const { reasons } = await load(slug, [path])

  expect(reasons).toEqual([])
  expect(await rowsOf(slug)).toEqual(written)
})
