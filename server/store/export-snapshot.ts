/**
 * Opens the snapshot of a practice's dataset that an export reads. No writer is active at that moment (dataset-lock.ts is
 * the writers' side), so that consecutive exports with `_since` neither miss nor repeat a change.
 */
import type pg from 'pg'
import { type FhirType, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import type { ScopeCodes } from '../search/plan.ts'
import { copyOut, type LineSink } from './copy.ts'
import { noLiveness } from './liveness.ts'
import { datasetLockClass } from './locks.ts'
import { type Population, populationStatement } from './population.ts'
import { scopeTokens } from './search-conditions.ts'
import { createBinds } from './statements.ts'

/** First half of the lock of a running export. The second half is a hash of the practice's id. */
const exportLockClass = 727_073_704

/** The exported resources of one type. */
export interface ExportedType {
  readonly type: FhirType
  /** Exports only resources with one of these dictionary ids; null exports all. */
  readonly tokens: readonly number[] | null
  /** Exports only resources that changed after this time, in microseconds since 1970; null exports all. */
  readonly sinceMicros: bigint | null
}

/** @returns false while another process exports this practice; the lock lasts as long as the connection */
export async function tryExportLock(client: pg.Client, practiceId: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_lock($1::int, hashtext($2)) AS locked',
    [exportLockClass, practiceId],
  )
  return rows[0]?.locked ?? false
}

export interface Snapshot {
  readonly datasetId: number
  readonly practiceName: string
  /** The snapshot contains all changes up to this time and no later ones. */
  readonly at: Date
  /** When the practice's data was replaced, in microseconds since 1970; null if never. */
  readonly replacedMicros: bigint | null
}

/**
 * Opens a snapshot of the practice's current dataset. If the practice moves to another dataset meanwhile, it tries again.
 * @throws Error if the practice does not exist or its dataset is not ready
 */
export async function openSnapshot(client: pg.Client, practiceId: string): Promise<Snapshot> {
  for (;;) {
    const { rows } = await client.query<{ id: number }>(
      'SELECT dataset_id AS id FROM portal.practice WHERE id = $1::uuid',
      [practiceId],
    )
    if (rows[0] === undefined) throw new Error('the practice is gone')
    const snapshot = await openSnapshotOf(client, practiceId, rows[0].id)
    if (snapshot !== null) return snapshot
    await client.query('ROLLBACK')
  }
}

/** Waits for running writers, and lets new ones begin only after the snapshot's time. @returns null if the practice moved */
async function openSnapshotOf(client: pg.Client, practiceId: string, datasetId: number) {
  const lock = [datasetLockClass, datasetId]
  await client.query('SELECT pg_advisory_lock($1::int, $2::int)', lock)
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows } = await client.query<{ at: Date; name: string; replaced: string | null; state: string }>(
      `SELECT date_trunc('milliseconds', clock_timestamp()) AS at, p.name, d.state,
         (extract(epoch FROM p.data_replaced_at) * 1000000)::bigint::text AS replaced
       FROM portal.practice p JOIN clinical.dataset d ON d.id = p.dataset_id
       WHERE p.id = $1::uuid AND p.dataset_id = $2::int`,
      [practiceId, datasetId],
    )
    const [row] = rows
    if (row === undefined) return null
    if (row.state !== 'ready') throw new Error(`the dataset is ${row.state}`)
    // The lastUpdated of the next writer is then later than `at`.
    await client.query(
      `SELECT pg_sleep(greatest(0, extract(epoch FROM $1::timestamptz + interval '1 millisecond' - clock_timestamp())))`,
      [row.at],
    )
    const replacedMicros = row.replaced === null ? null : BigInt(row.replaced)
    return { datasetId, practiceName: row.name, at: row.at, replacedMicros }
  } finally {
    await client.query('SELECT pg_advisory_unlock($1::int, $2::int)', lock)
  }
}

/** Finds the dictionary ids of the codes that a scope is limited to. */
export async function findScopeTokens(client: pg.Client, codes: ScopeCodes): Promise<number[]> {
  const { bind, values } = createBinds()
  const { rows } = await client.query<{ id: number }>(scopeTokens(codes, bind), values)
  return rows.map(({ id }) => id)
}

export async function countExported(client: pg.Client, datasetId: number, exported: ExportedType) {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${exportedRows(datasetId, exported)}`,
  )
  return rows[0]?.count ?? 0
}

/** @returns how many rows PostgreSQL sent */
export function copyExported(client: pg.Client, datasetId: number, exported: ExportedType, sink: LineSink) {
  return copyOut(client, `COPY (SELECT r.content FROM ${exportedRows(datasetId, exported)}) TO STDOUT`, sink)
}

/** Reads the group of all patients from the snapshot. */
export async function readPopulation(
  client: pg.Client,
  datasetId: number,
  groupId: string,
): Promise<Population> {
  const { text, values } = populationStatement(datasetId, groupId, [], noLiveness)
  const { rows } = await client.query<Population>(text, [...values])
  const [row] = rows
  if (row === undefined) throw new Error('the population gave no row')
  return row
}

/** The most patients in one log row. */
const patientsAtOnce = 1_000

interface ExportOfPatients {
  readonly exportId: string
  readonly at: Date
}

/**
 * Logs which patients' records the exported files contain, by type. It writes on a second connection, because the
 * snapshot's is read-only. Resources outside all charts are about no patient and are not logged.
 */
export async function recordExportedPatients(
  client: pg.Client,
  log: Pick<pg.Client, 'query'>,
  datasetId: number,
  types: readonly ExportedType[],
  { exportId, at }: ExportOfPatients,
): Promise<void> {
  const names = types.map(({ type }) => type)
  const selects = types.map(
    (type, bit) => `SELECT DISTINCT r.patient_id, ${1n << BigInt(bit)}::bigint AS bit
      FROM ${exportedRows(datasetId, type)} AND r.patient_id IS NOT NULL`,
  )
  if (selects.length === 0) return
  await client.query(`DECLARE exported_patients NO SCROLL CURSOR FOR
    SELECT patient_id COLLATE "C" AS id, sum(bit)::bigint::text AS types FROM (${selects.join(' UNION ALL ')}) found
    GROUP BY patient_id ORDER BY patient_id COLLATE "C"`)
  for (;;) {
    const { rows } = await client.query<{ id: string; types: string }>(
      `FETCH ${patientsAtOnce} FROM exported_patients`,
    )
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) break
    await log.query(
      `INSERT INTO log.export_patients (at, export_id, first_id, last_id, patient_ids, types, type_names)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [at, exportId, ids[0], ids.at(-1), ids, rows.map((row) => row.types), names],
    )
  }
  await client.query('CLOSE exported_patients')
}

/** COPY takes no parameters, so the SQL contains only integers from our code. */
function exportedRows(datasetId: number, { type, tokens, sinceMicros }: ExportedType): string {
  const integer = (value: number) => {
    if (!Number.isSafeInteger(value)) throw new Error('not an integer')
    return String(value)
  }
  return [
    `clinical.resource r WHERE r.dataset_id = ${integer(datasetId)} AND r.type = ${integer(fhirTypeNumbers[type])}`,
    'NOT r.deleted',
    ...(tokens === null ? [] : [`r.tokens && '{${tokens.map(integer).join(',')}}'::int[]`]),
    ...(sinceMicros === null
      ? []
      : [`r.last_updated > timestamptz 'epoch' + ${sinceMicros} * interval '1 microsecond'`]),
  ].join(' AND ')
}
