/**
 * What an export reads: one snapshot of a dataset, opened while no writer is under way (decision: store/dataset-gate
 * is the writers' side), so that nothing is lost or doubled between two runs that ask for what changed since.
 */
import type pg from 'pg'
import { type FhirType, fhirTypeNumbers } from '../contract/fhir-registry.ts'
import type { ScopeCodes } from '../search/fhir-plan.ts'
import { copyOut, type LineSink } from './copy-out.ts'
import { noLiveness } from './liveness.ts'
import { datasetLockClass } from './locks.ts'
import { type Population, populationStatement } from './population.ts'
import { scopeTokens } from './search-conditions.ts'
import { createBinds } from './search-page.ts'

/** First half of the lock that says: this practice's export runs here. The second is a hash of the practice. */
const exportLockClass = 727_073_704

/** What of one type is exported. */
export interface ExportedType {
  readonly type: FhirType
  /** Dictionary ids, any of which lets a resource through; null: all. */
  readonly tokens: readonly number[] | null
  /** Microseconds since 1970: only what changed after them; null: all. */
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

/**
 * Opens the snapshot: writers end first, none begins until its time is past.
 * @returns the time up to which all changes are in it; null when the dataset is not ready (any more)
 */
export async function openSnapshot(client: pg.Client, datasetId: number): Promise<Date | null> {
  const lock = [datasetLockClass, datasetId]
  await client.query('SELECT pg_advisory_lock($1::int, $2::int)', lock)
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows } = await client.query<{ at: Date; ready: boolean }>(
      `SELECT date_trunc('milliseconds', clock_timestamp()) AS at,
         EXISTS (SELECT 1 FROM clinical.dataset d WHERE d.id = $1::int AND d.state = 'ready') AS ready`,
      [datasetId],
    )
    const [row] = rows
    // The next writer's time of change is a later one.
    await client.query(
      `SELECT pg_sleep(greatest(0, extract(epoch FROM $1::timestamptz + interval '1 millisecond' - clock_timestamp())))`,
      [row?.at],
    )
    return row?.ready ? row.at : null
  } finally {
    await client.query('SELECT pg_advisory_unlock($1::int, $2::int)', lock)
  }
}

/** The dictionary's ids of the codes that scopes are narrowed to. */
export async function findScopeTokens(client: pg.Client, codes: ScopeCodes): Promise<number[]> {
  const { bind, values } = createBinds()
  const { rows } = await client.query<{ id: number }>(scopeTokens(codes, bind), values)
  return rows.map(({ id }) => id)
}

export async function countExported(
  client: pg.Client,
  datasetId: number,
  each: ExportedType,
): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${exportedRows(datasetId, each)}`,
  )
  return rows[0]?.count ?? 0
}

/** @returns how many rows PostgreSQL sent */
export function copyExported(
  client: pg.Client,
  datasetId: number,
  each: ExportedType,
  sink: LineSink,
): Promise<number> {
  return copyOut(client, `COPY (SELECT r.content FROM ${exportedRows(datasetId, each)}) TO STDOUT`, sink)
}

/** The group of everybody, as the snapshot has it. */
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

/** COPY takes no parameters: the text is made of integers alone. */
function exportedRows(datasetId: number, { type, tokens, sinceMicros }: ExportedType): string {
  const whole = (value: number) => {
    if (!Number.isSafeInteger(value)) throw new Error('not an integer')
    return String(value)
  }
  return [
    `clinical.resource r WHERE r.dataset_id = ${whole(datasetId)} AND r.type = ${whole(fhirTypeNumbers[type])}`,
    'NOT r.deleted',
    ...(tokens === null ? [] : [`r.tokens && '{${tokens.map(whole).join(',')}}'::int[]`]),
    ...(sinceMicros === null
      ? []
      : [`r.last_updated > timestamptz 'epoch' + ${sinceMicros} * interval '1 microsecond'`]),
  ].join(' AND ')
}
