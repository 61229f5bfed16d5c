import { expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { exampleOrganization, examplePatient } from '../../tests/support/example-resources.ts'
import { noLiveness } from './liveness.ts'
import { createStore, type Store } from './store.ts'

const database = await testDatabase('schema')
const store: Store = createStore({ pool: database.pool, clock: () => new Date('2026-11-20T12:00:00.000Z') })
const dataset: number = await store.datasets.create({ name: 'practice', kind: 'template', source: 'test' })
const people = Array.from({ length: 7 }, (_, at) =>
  examplePatient({ id: `pt-${at}`, family: `Testwell${at}`, born: '1971' }),
)
const observations = people.map(({ id }) => ({
  resourceType: 'Observation',
  id: `ob-${id}`,
  status: 'final',
  subject: { reference: `Patient/${id}` },
  effectiveDateTime: '2020-02-29',
}))
const provenance = { resourceType: 'Provenance', id: 'pv', target: [{ reference: 'Observation/ob-pt-3' }] }
await store.write(
  dataset,
  [exampleOrganization('org-1', 'Example'), ...people, ...observations, provenance],
  {
    liveness: noLiveness,
  },
)
await store.datasets.markReady(dataset)

/** Every row there is, whatever its order. */
async function everything(): Promise<string[]> {
  const tables = ['resource', 'moment', 'coding', 'name', 'identifier', 'roster', 'link']
  const { rows } = await database.pool.query<{ row: string }>(
    tables.map((table) => `SELECT '${table}' || t::text AS row FROM clinical.${table} t`).join(' UNION ALL '),
  )
  return rows.map((each) => each.row).sort()
}

/** As a release with another registry would have left them. */
const spoil = () =>
  database.pool.query(`
    UPDATE clinical.resource SET index_version = 0, tokens = '{}', date = '-infinity', date_end = NULL;
    UPDATE clinical.resource SET patient_id = NULL WHERE id = 'pv';
    DELETE FROM clinical.name; DELETE FROM clinical.link; DELETE FROM clinical.moment WHERE id < 'pt-4'`)

test('cut off halfway, it goes on with what is left', async () => {
  const before = await everything()
  await spoil()

  const cut = store.reindex({
    batchSize: 5,
    onProgress: () => {
      throw new Error('killed')
    },
  })
  await expect(cut).rejects.toThrow('killed')
  const { rows } = await database.pool.query(
    'SELECT count(*)::int AS n FROM clinical.resource WHERE index_version > 0',
  )
  const [done] = rows
  expect(done.n).toBeGreaterThan(0)

  expect(await store.reindex({ batchSize: 5 })).toEqual({ renewed: 16 - done.n, refused: [] })
  expect(await everything()).toEqual(before)
})

test('two at once do every resource once', async () => {
  const before = await everything()
  await spoil()

  const counts = await Promise.all([store.reindex({ batchSize: 3 }), store.reindex({ batchSize: 3 })])

  expect(counts[0].renewed + counts[1].renewed).toBe(16)
  expect(await everything()).toEqual(before)
})

test('one resource that this registry refuses stays behind, is named, and holds up nothing', async () => {
  await spoil()
  await database.pool.query(
    `UPDATE clinical.resource SET content = replace(content, '"id":"ob-pt-3"', '"id":"ob pt 3"') WHERE id = 'ob-pt-3'`,
  )

  expect(await store.reindex({ batchSize: 4 })).toEqual({ renewed: 15, refused: ['Observation/ob-pt-3'] })
  expect(await store.countBehind()).toEqual({ Observation: 1 })
})
