import { expect, test } from 'vitest'
import { noLiveness } from '../server/store/liveness.ts'
import { createStore } from '../server/store/store.ts'
import { type TestDatabase, testDatabase } from '../tests/support/database.ts'
import { isSeeded } from './is-seeded.ts'
import { seedDatabase } from './load.ts'
import { castSeed, type SeedOptions } from './options.ts'
import { practices } from './practices.ts'

/** A whole seed, twice or three times over, on a machine that does other things as well. */
const patience = { timeout: 60_000 }

const clock = () => new Date('2026-11-20T12:00:00.000Z')

const database = await testDatabase('schema')

const seed = (options: Partial<SeedOptions> = {}, on = database) =>
  seedDatabase({ pool: on.pool, prisma: on.prisma, clock }, { ...castSeed, ...options })

/** Practices enough for what is said of any. */
const few = { only: ['harbor-family', 'canary'] }

/** Every stored row that says what a practice holds, whatever the numbers of the datasets. */
async function contents(on: TestDatabase): Promise<unknown[]> {
  const { rows } = await on.pool.query(
    `SELECT p.slug, p.environment, p.fhir_enabled, p.in_directory, p.state, p.purpose, d.kind, d.state AS dataset_state,
       (SELECT md5(string_agg(r.content, E'\\n' ORDER BY r.type, r.id)) FROM clinical.resource r WHERE r.dataset_id = d.id) AS texts,
       (SELECT count(*)::int FROM clinical.resource r WHERE r.dataset_id = d.id) AS resources,
       (SELECT count(*)::int FROM clinical.roster r WHERE r.dataset_id = d.id) AS roster,
       (SELECT count(*)::int FROM clinical.name r WHERE r.dataset_id = d.id) AS names
     FROM portal.practice p LEFT JOIN clinical.dataset d ON d.id = p.dataset_id ORDER BY p.slug`,
  )
  return rows
}

const datasetCount = async () =>
  (await database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM clinical.dataset')).rows[0]?.n

test(
  'a fresh database gets every practice of the table, and a second run changes nothing',
  patience,
  async () => {
    expect(await isSeeded(database.pool, { demo: false })).toBe(false)

    const first = await seed()
    const after = await contents(database)
    const second = await seed()

    expect(first.practices.map((each) => each.slug)).toEqual(practices.map((each) => each.slug))
    expect(second).toMatchObject({ practices: [], resources: 0 })
    expect(await contents(database)).toEqual(after)
    expect(await isSeeded(database.pool, { demo: false })).toBe(true)
  },
)

test.each([
  ['while loading', `UPDATE clinical.dataset SET state = 'loading' WHERE name = 'harbor-family'`],
  [
    'while loading the first time',
    `DELETE FROM portal.practice WHERE slug = 'harbor-family'; UPDATE clinical.dataset SET state = 'loading' WHERE name = 'harbor-family'; DELETE FROM clinical.resource r USING clinical.dataset d WHERE d.id = r.dataset_id AND d.name = 'harbor-family' AND r.id > 'pt-0002'`,
  ],
  [
    'before the practice points at its data',
    `DELETE FROM portal.practice WHERE slug IN ('harbor-family', 'canary')`,
  ],
  [
    'while the old data is removed',
    `INSERT INTO clinical.dataset (name, kind, state, source, created_at) VALUES ('harbor-family', 'practice', 'deleting', 'seed', now())`,
  ],
])('a seed killed %s and run again ends as an undisturbed one', patience, async (_, leftBehind) => {
  const killed = await testDatabase('schema')
  await seed(few, killed)
  const clean = await contents(killed)
  await killed.ownerPool.query(leftBehind)

  await seed(few, killed)

  expect(await contents(killed)).toEqual(clean)
  const { rows } = await killed.pool.query(
    `SELECT count(*)::int AS n FROM clinical.dataset WHERE name = 'harbor-family'`,
  )
  expect(rows).toEqual([{ n: 1 }])
})

test('two seeds at once make every practice once', patience, async () => {
  const both = await testDatabase('schema')
  const clean = await testDatabase('schema')
  await seed(few, clean)

  const reports = await Promise.all([seed(few, both), seed(few, both)])

  expect(reports.map((report) => report.practices.length).sort()).toEqual([0, few.only.length])
  expect(await contents(both)).toHaveLength(few.only.length)
})

test('other options make new data, flip the practice and leave nothing of the old', patience, async () => {
  const before = await datasetCount()
  const template = await database.prisma.practice.findUniqueOrThrow({ where: { slug: 'sandbox-template' } })
  await database.prisma.practice.create({
    data: { ...template, id: undefined, slug: 'larkfield-sandbox', purpose: 'organization_sandbox' },
  })
  // Statistics that know nothing of the data to come, as autovacuum may make them at any moment.
  await database.ownerPool.query('ANALYZE')

  const report = await seed({ seed: 43, only: ['sandbox-template', 'harbor-family'] })

  const now = await database.prisma.practice.findMany({
    where: { purpose: { in: ['template', 'organization_sandbox'] } },
  })
  expect(report.practices).toHaveLength(2)
  expect(new Set(now.map((each) => each.datasetId))).toEqual(new Set([report.practices[0]?.datasetId]))
  expect(await datasetCount()).toBe(before)
})

test('with --anew, what was written to a practice since is gone; without, it stays', patience, async () => {
  const store = createStore({ pool: database.pool, clock })
  const before = await contents(database)
  const { datasetId } = await database.prisma.practice.findUniqueOrThrow({ where: { slug: 'canary' } })
  const written = { resourceType: 'Patient', id: 'pt-written', name: [{ family: 'Testwell' }] }
  await store.write(datasetId, [written], { liveness: noLiveness })

  await seed({ only: ['canary'] })
  const kept = await contents(database)
  await seed({ only: ['canary'], anew: true })

  expect(kept).not.toEqual(before)
  expect(await contents(database)).toEqual(before)
})

test('with --if-empty, practices that are there stay as they are', async () => {
  const before = await contents(database)

  const report = await seed({ seed: 44, patients: 7, ifEmpty: true })

  expect(report.unchanged).toHaveLength(practices.length)
  expect(await contents(database)).toEqual(before)
})

test('practices hold different people under the same ids', async () => {
  const store = createStore({ pool: database.pool, clock })
  const { rows } = await database.pool.query<{ id: string; n: number; names: number }>(
    `SELECT r.id, count(*)::int AS n, count(DISTINCT r.content::json #>> '{name,0,text}')::int AS names
     FROM clinical.resource r JOIN portal.practice p ON p.dataset_id = r.dataset_id
     WHERE p.purpose = 'office' AND r.id ~ '^pt-' GROUP BY r.id`,
  )

  expect(rows.map((row) => row.id).sort()).toEqual(['pt-0001'])
  expect(rows.every((row) => row.n === 4 && row.names >= 3)).toBe(true)
  expect(await store.datasets.counts(-1)).toEqual({})
})

test('an unknown practice is named, with those there are', async () => {
  await expect(seed({ only: ['harbour-family'] })).rejects.toThrow(
    /no practice “harbour-family”.*harbor-family/,
  )
})
