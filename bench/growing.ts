/** Practices that grow: charts of the seed, copied under other names by the database. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { defaultSeed } from '../seed/options.ts'
import { practiceBatches } from '../seed/practice-records.ts'
import { getPractice } from '../seed/practices.ts'
import type { Resource } from '../server/store/index-rows.ts'
import type { Store } from '../server/store/store.ts'

export type Charts = {
  /** With a page of Observations and more. */
  patients: readonly string[]
  /** All of them, such as a list shows. */
  patientCount: number
  resources: number
  /** Their family names. */
  families: readonly string[]
}

const tables = ['resource', 'moment', 'coding', 'name', 'identifier', 'roster', 'link'] as const
/** Columns that name a resource of the dataset. */
const naming = new Set(['id', 'patient_id', 'target', 'source'])
const pageObservations = 55

export async function createDataset(store: Store, name: string): Promise<number> {
  return store.datasets.create({ name, kind: 'practice', source: 'bench' })
}

/** Whole charts, until there are so many resources or more. */
export async function loadCharts(store: Store, dataset: number, resourcesMin: number): Promise<Charts> {
  const resources: Resource[] = []
  for (const batch of practiceBatches(getPractice('harbor-family'), { ...defaultSeed, patients: 60 })) {
    if (resources.length >= resourcesMin) break
    resources.push(...batch.resources)
  }
  await store.bulkLoad(dataset, resources)
  await store.adoptOrphans(dataset)
  await store.datasets.markReady(dataset)
  const observations = new Map<string, number>()
  for (const { resourceType, subject } of resources) {
    const { reference = '' } = (subject ?? {}) as { reference?: string }
    if (resourceType === 'Observation') observations.set(reference, (observations.get(reference) ?? 0) + 1)
  }
  const people = resources.filter(({ resourceType }) => resourceType === 'Patient')
  const patients = people.flatMap(({ id = '' }) =>
    (observations.get(`Patient/${id}`) ?? 0) >= pageObservations ? [id] : [],
  )
  if (patients.length === 0) throw new Error('no chart has a page of Observations')
  return {
    patients,
    patientCount: people.length,
    resources: resources.length,
    families: people.map(({ name }) => (name as { family: string }[])[0]?.family ?? ''),
  }
}

/** The name of a chart's copy; 0 is the chart itself. */
export function copyOf(id: string, copy: number): string {
  return copy === 0 ? id : `${id}.copy${copy}`
}

/** @returns how many copies there are then, the charts themselves not among them */
export async function growTo(
  pool: pg.Pool,
  dataset: number,
  { resources }: Charts,
  copies: number,
  size: number,
): Promise<number> {
  const wanted = Math.max(Math.round(size / resources) - 1, copies)
  if (wanted > copies) for (const table of tables) await copyTable(pool, table, dataset, copies + 1, wanted)
  await pool.query('VACUUM (ANALYZE)')
  return wanted
}

/** The copies of a chart lie together, as a chart that was imported does. */
async function copyTable(
  pool: pg.Pool,
  table: string,
  dataset: number,
  first: number,
  last: number,
): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute WHERE attrelid = 'clinical.${table}'::regclass
     AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attname <> 'dataset_id' ORDER BY attnum`,
  )
  const names = rows.map(({ name }) => name)
  const own = table === 'link' ? 'source' : 'id'
  await pool.query(
    `INSERT INTO clinical.${table} (dataset_id, ${names.join(', ')})
     SELECT $1, ${names.map((name) => (naming.has(name) ? `t.${name} || c.copy` : `t.${name}`)).join(', ')}
     FROM generate_series($2::int, $3::int) n
       CROSS JOIN LATERAL (SELECT '.copy' || n AS copy) c
       CROSS JOIN (SELECT * FROM clinical.${table} WHERE dataset_id = $1 AND ${own} !~ '[.]copy[0-9]+$') t
     ORDER BY n`,
    [dataset, first, last],
  )
}

/** Somebody who made the keys. */
export async function addAccount(owner: pg.Pool): Promise<string> {
  const id = randomUUID()
  await owner.query(
    `INSERT INTO portal.account (id, realm, email, name, password_hash, created_at)
     VALUES ($1, 'developer', $2, 'Bench Placeholder', 'none', now())`,
    [id, `${id}@people.example`],
  )
  return id
}
