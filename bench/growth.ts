/**
 * `npm run bench -- growth`: what a page costs while the practice around its chart grows. The charts asked for are the
 * same at every size; the others are copies of them under other names, made by the database.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { discardPostgres, startPostgres } from '../scripts/postgres/start.mjs'
import { defaultSeed } from '../seed/options.ts'
import { practiceBatches } from '../seed/practice-records.ts'
import { getPractice } from '../seed/practices.ts'
import type { FhirType } from '../server/contract/fhir/registry.ts'
import type { Access } from '../server/search/access.ts'
import { compileSearch } from '../server/search/compile.ts'
import type { TimePlan } from '../server/search/plan.ts'
import type { Resource } from '../server/store/index-rows.ts'
import { noLiveness } from '../server/store/liveness.ts'
import { migrate } from '../server/store/migrations.ts'
import { createPool } from '../server/store/pool.ts'
import { createStore, type Store } from '../server/store/store.ts'
import { type CpuTime, cpuBetween, cpuOf, postgresProcesses } from './cpu.ts'

const { values } = parseArgs({
  options: { full: { type: 'boolean', default: false }, pages: { type: 'string', default: '4000' } },
})
/** Resources of the practice. */
const sizes = values.full ? [1_000, 10_000, 100_000, 1_000_000] : [1_000, 10_000, 100_000]
/** Copied at once; a chart is named by its patient, so that copies of ids are renamed alike. */
const tables: readonly (readonly [table: string, columns: string, renamed: string])[] = [
  [
    'resource',
    'type, id, patient_id, date, date_end, last_updated, version, index_version, tokens, content',
    `type, id || copy, patient_id || copy, date, date_end, last_updated, version, index_version, tokens, content`,
  ],
  [
    'moment',
    'patient_id, type, parameter, low, high, id',
    'patient_id || copy, type, parameter, low, high, id || copy',
  ],
  ['coding', 'patient_id, type, token, id', 'patient_id || copy, type, token, id || copy'],
  [
    'link',
    'kind, target_type, target, source_type, source',
    'kind, target_type, target || copy, source_type, source || copy',
  ],
]

await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'))
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'postgres')
  const database = await startPostgres({ dataDir, flags: ['fsync=off', 'max_wal_size=4GB'] })
  try {
    await migrate({ ownerUrl: database.ownerUrl })
    const pool = createPool({ connectionString: database.ownerUrl, max: 4, statementTimeoutMs: 0 })
    await report(pool, createStore({ pool, clock: () => new Date() }), database.cluster)
    await pool.end()
  } finally {
    await discardPostgres(dataDir)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function report(pool: pg.Pool, store: Store, cluster: string): Promise<void> {
  const dataset = await store.datasets.create({ name: 'growing', kind: 'practice', source: 'bench' })
  const charts = await loadCharts(store, dataset)
  console.log(
    ['resources', 'pages/s', 'Node µs', 'PostgreSQL µs', 'CPU µs', '× first']
      .map((each) => each.padStart(14))
      .join(''),
  )
  let copies = 0
  let first: number | null = null
  for (const size of sizes) {
    copies = await grow(pool, dataset, charts, copies, size)
    const page = plansOf(charts.patients)
    await ask(store, dataset, page, 2_000)
    const from = usage(cluster)
    const started = performance.now()
    const pages = Number(values.pages)
    await ask(store, dataset, page, pages)
    const seconds = (performance.now() - started) / 1000
    const to = usage(cluster)
    const micros = (a: CpuTime | null, b: CpuTime | null) => (cpuBetween(a, b) ?? Number.NaN) / pages
    const [node, postgres] = [micros(from.node, to.node), micros(from.postgres, to.postgres)]
    first ??= node + postgres
    const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM clinical.resource')
    const cells = [
      Number(rows[0]?.count).toLocaleString('en-US'),
      (pages / seconds).toFixed(0),
      node.toFixed(0),
      postgres.toFixed(0),
      (node + postgres).toFixed(0),
      ((node + postgres) / first).toFixed(2),
    ]
    console.log(cells.map((each) => each.padStart(14)).join(''))
  }
}

interface Charts {
  readonly patients: readonly string[]
  readonly resources: number
}

/** About as many resources as the first size. */
async function loadCharts(store: Store, dataset: number): Promise<Charts> {
  const resources: Resource[] = []
  const patients: string[] = []
  for (const batch of practiceBatches(getPractice('harbor-family'), { ...defaultSeed, patients: 60 })) {
    if (resources.length >= (sizes[0] ?? 0)) break
    resources.push(...batch.resources)
    patients.push(
      ...batch.resources.flatMap(({ resourceType, id }) => (resourceType === 'Patient' ? [id ?? ''] : [])),
    )
  }
  await store.bulkLoad(dataset, resources)
  await store.adoptOrphans(dataset)
  return { patients, resources: resources.length }
}

/** @returns how many copies there are then */
async function grow(
  pool: pg.Pool,
  dataset: number,
  charts: Charts,
  copies: number,
  size: number,
): Promise<number> {
  const wanted = Math.max(Math.ceil(size / charts.resources) - 1, copies)
  for (const [table, columns, renamed] of tables) {
    const own = table === 'link' ? `source !~ '#'` : `id !~ '#'`
    await pool.query(
      `INSERT INTO clinical.${table} (dataset_id, ${columns})
       SELECT $1, ${renamed} FROM clinical.${table}
         CROSS JOIN (SELECT '#' || n AS copy FROM generate_series($2::int, $3::int) n) copies
       WHERE dataset_id = $1 AND ${own}`,
      [dataset, copies + 1, wanted],
    )
  }
  await pool.query('VACUUM (ANALYZE)')
  return wanted
}

function access(type: FhirType): Access {
  return { type, grants: [{ patientId: null, filter: null }], patientId: null, needsPatient: true }
}

/** Pages of 50 of the charts, plain, by category and by date. */
function plansOf(patients: readonly string[]): TimePlan[] {
  return patients.flatMap((patient) =>
    [[], [['category', 'laboratory'] as const], [['date', 'ge2020'] as const]].map(
      (more) =>
        compileSearch({
          access: access('Observation'),
          parameters: [['patient', patient], ...more],
          handling: 'strict',
          base: 'https://fhir.example/r4/bench',
          now: new Date(),
          after: null,
          accessTo: access,
        }).plan,
    ),
  )
}

async function ask(store: Store, dataset: number, plans: readonly TimePlan[], count: number): Promise<void> {
  let next = 0
  const caller = async () => {
    while (next < count) {
      const plan = plans[next++ % plans.length]
      if (plan) await store.search(dataset, plan, noLiveness)
    }
  }
  await Promise.all([caller(), caller(), caller(), caller()])
}

function usage(cluster: string): { node: CpuTime | null; postgres: CpuTime | null } {
  return { node: cpuOf([process.pid]), postgres: cpuOf(postgresProcesses(cluster)) }
}
