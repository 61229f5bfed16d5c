/** `npm run bench -- store`: what loading, copying, deleting and indexing cost, as ratios inside one run. */
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { PrismaClient } from '../prisma/generated/client/client.ts'
import { defaultSeed } from '../seed/options.ts'
import { practiceBatches } from '../seed/practice-records.ts'
import { getPractice } from '../seed/practices.ts'
import type { Core } from '../server/domain/core.ts'
import * as practiceData from '../server/domain/practices/practice-data.ts'
import { createPrismaAdapter } from '../server/store/database-client.ts'
import type { Resource } from '../server/store/index-rows.ts'
import { createPool } from '../server/store/pool.ts'
import { createStore, type Store } from '../server/store/store.ts'
import { withBenchDatabase } from './bench-database.ts'
import { copyRows, rowsOf } from './plain-copy.ts'

const { values } = parseArgs({ options: { patients: { type: 'string', default: '200' } } })
const batchSize = 1_000
/** Loading and COPY by turns, so that a busy moment of the machine does not decide. */
const rounds = 3

await withBenchDatabase(async ({ ownerUrl }) => {
  const pool = createPool({ connectionString: ownerUrl, max: 4, statementTimeoutMs: 0 })
  const store = createStore({ pool, clock: () => new Date() })
  await report(pool, store)
  await reportPractices(pool, store)
  await pool.end()
})

async function report(pool: pg.Pool, store: Store): Promise<void> {
  const options = { ...defaultSeed, patients: Number(values.patients) }
  const resources: Resource[] = []
  await timed('generate', 0, async () => {
    for (const batch of practiceBatches(getPractice('harbor-family'), options))
      resources.push(...batch.resources)
    return resources.length
  })
  const ratios: number[] = []
  let dataset = 0
  for (let round = 0; round < rounds; round += 1) {
    dataset = await create(store, `loaded ${round}`)
    const loading = await timed('load, all index rows included', resources.length, async () => {
      const load = store.beginLoad(dataset)
      for (let at = 0; at < resources.length; at += batchSize) {
        await load.add(resources.slice(at, at + batchSize))
      }
      await load.end()
      await store.adoptOrphans(dataset)
    })
    await store.datasets.markReady(dataset)
    const rows = await rowsOf(pool, dataset)
    const plain = await create(store, `plain ${round}`)
    const copying = await timed('plain COPY of the same rows', resources.length, () =>
      copyRows(pool, rows, plain),
    )
    ratios.push((100 * copying) / loading)
  }
  const texts = ratios.map((ratio) => `${ratio.toFixed(0)} %`)
  console.log(`${'loading / plain COPY'.padEnd(34)}${texts.join(', ')} (target: 25 %)`)

  const before = await sizeOf(pool)
  let copy = 0
  await timed('copy a dataset (a reset)', resources.length, async () => {
    copy = await store.datasets.copy(dataset, { name: 'copy', kind: 'practice' })
  })
  console.log(`${'  its size'.padEnd(34)}${((await sizeOf(pool)) - before).toFixed(1).padStart(10)} MB`)
  const [patient] = resources.filter(({ resourceType }) => resourceType === 'Patient')
  await timed('delete a patient', 1, () => store.deletePatient(copy, patient?.id ?? ''))
  await pool.query('UPDATE clinical.resource SET index_version = 0 WHERE dataset_id = $1', [dataset])
  await timed('index rows anew', resources.length, () => store.reindex())
  await timed('remove a dataset', resources.length, () => store.datasets.remove(copy))
}

/** What a practice may do with its data as a whole, on a template such as every installation has. */
async function reportPractices(pool: pg.Pool, store: Store): Promise<void> {
  const template = await create(store, 'template')
  const resources: Resource[] = []
  for (const batch of practiceBatches(getPractice('sandbox-template'), defaultSeed)) {
    resources.push(...batch.resources)
  }
  for (let at = 0; at < resources.length; at += batchSize) {
    await store.bulkLoad(template, resources.slice(at, at + batchSize))
  }
  await store.datasets.markReady(template)
  console.log(`\n${'template'.padEnd(34)}${resources.length.toLocaleString('en-US').padStart(10)} resources`)
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) })
  const practiceRow = {
    environment: 'sandbox',
    fhirEnabled: true,
    inDirectory: false,
    createdAt: new Date(),
  } as const
  await prisma.practice.create({
    data: { ...practiceRow, slug: 'template', name: 'template', purpose: 'template', datasetId: template },
  })
  const before = await sizeOf(pool)
  const datasetId = await store.datasets.copy(template, { name: 'office', kind: 'practice' })
  const { id } = await prisma.practice.create({
    data: { ...practiceRow, slug: 'office', name: 'office', purpose: 'organization_sandbox', datasetId },
  })
  console.log(
    `${'  size of its copy'.padEnd(34)}${((await sizeOf(pool)) - before).toFixed(1).padStart(10)} MB`,
  )
  // The removal of the old data is a job, measured for itself above.
  const core = { prisma, store, jobs: { add: () => Promise.resolve() } } as unknown as Core
  for (const step of ['snapshot', 'restore', 'reset'] as const) {
    await timed(step, resources.length, () => practiceData[step](core, id))
  }
  await prisma.$disconnect()
}

/** @param count of resources; 0: as many as the work returns. @returns seconds */
async function timed(name: string, count: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  const result = await work()
  const seconds = (performance.now() - started) / 1000
  const rate = Math.round((count || Number(result)) / seconds).toLocaleString('en-US')
  console.log(`${name.padEnd(34)}${seconds.toFixed(2).padStart(10)} s${rate.padStart(12)} resources/s`)
  return seconds
}

async function create(store: Store, name: string): Promise<number> {
  return store.datasets.create({ name, kind: 'practice', source: 'bench' })
}

/** Of the whole database, in MB. */
async function sizeOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes')
  return Number(rows[0]?.bytes) / 1_000_000
}
