/** Queries a practice's access record. The domain decides who may read it. */
import type pg from 'pg'
import { Problem } from '../contract/http/problems.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'

export type AccessFilter = Readonly<{
  /** The principal's stored id, or the app's `client_id`. */
  principalId?: string
  action?: string
  resourceType?: string
  patientId?: string
  outcome?: 'served' | 'refused' | 'failed'
  /** The server's own correlation id. */
  correlationId?: string
  from?: Date
  to?: Date
  /** The `next` of the previous page. */
  before?: string
  /** 1 to 1,000. */
  limit: number
}>

export type AccessEntry = Readonly<{
  at: Date
  principalKind: string
  principalId: string
  /** The app, if there is one. */
  clientId: string | null
  action: string
  resourceType: string | null
  patientId: string | null
  /** The number of patients, if the row names several. */
  patients: number | null
  count: number
  purpose: string
  outcome: 'served' | 'refused' | 'failed'
  correlationId: string
}>

type Database = Readonly<{ pool: pg.Pool; clock: () => Date }>
type Row = AccessEntry & { id: string }

const limitMax = 1_000
/** Most pages only have recent rows. The older months of six years are only read if these do not fill the page. */
const recentMs = 62 * 86_400_000

/**
 * Reads a page, newest first.
 * @throws Problem `validation` for an invalid `before`
 */
export async function page(database: Database, practiceId: string, filter: AccessFilter) {
  const limit = Math.min(Math.max(Math.trunc(filter.limit), 1), limitMax)
  const cursor = filter.before === undefined ? null : parseCursor(filter.before)
  const rows = await readNewest(
    { from: filter.from, to: filter.to, newest: cursor?.at ?? database.clock() },
    limit + 1,
    (period, most) => select(database, practiceId, { ...filter, ...period }, cursor, most),
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown.map(({ id: _, ...row }) => row),
    next: rows.length > limit && last ? `${last.at.getTime()}.${last.id}` : null,
  }
}

type Period = { from: Date | undefined; to: Date | undefined }

/** @param read returns the rows of a period, newest first */
async function readNewest<Row>(
  { from, to, newest }: Period & { newest: Date },
  most: number,
  read: (period: Period, most: number) => Promise<Row[]>,
): Promise<Row[]> {
  const recent = new Date((to === undefined || to > newest ? newest : to).getTime() - recentMs)
  if (from !== undefined && from >= recent) return read({ from, to }, most)
  const rows = await read({ from: recent, to }, most)
  if (rows.length === most) return rows
  return [...rows, ...(await read({ from, to: recent }, most - rows.length))]
}

async function select(
  { pool }: Database,
  practiceId: string,
  filter: Omit<AccessFilter, 'from' | 'to'> & Period,
  cursor: Cursor | null,
  most: number,
): Promise<Row[]> {
  const values: unknown[] = [practiceId]
  const bind = (value: unknown) => `$${values.push(value)}`
  const where = ['practice_id = $1', ...conditions(filter, cursor, bind)]
  const { rows } = await pool.query<Row>(
    `SELECT id::text, at, principal_kind AS "principalKind", principal_id AS "principalId",
         client_id AS "clientId", action, resource_type AS "resourceType", patient_id AS "patientId",
         cardinality(patient_ids) AS patients, count, purpose, outcome,
         correlation_id AS "correlationId"
       FROM log.phi_audit a WHERE ${where.join(' AND ')}
       ORDER BY a.at DESC, a.id DESC LIMIT ${bind(most)}`,
    values,
  )
  return rows
}

/** @returns when an app last read a patient's record as one of these principals; null if never */
export async function lastRead(database: Database, { practiceId, patientId, clientId, principalIds }: Place) {
  const { pool, clock } = database
  const place = [practiceId, patientId, clientId, principalIds]
  const [row] = await readNewest(
    { from: undefined, to: undefined, newest: clock() },
    1,
    async ({ from, to }) => {
      const { rows } = await pool.query<{ at: Date }>(
        `SELECT at FROM log.phi_audit
         WHERE practice_id = $1 AND patient_id = $2 AND client_id = $3 AND principal_id = ANY($4) AND outcome = 'served'
           AND at ${from ? '>=' : '<'} $5 ORDER BY at DESC LIMIT 1`,
        [...place, from ?? to],
      )
      return rows
    },
  )
  return row?.at ?? null
}

type Place = Readonly<{
  practiceId: string
  patientId: string
  clientId: string
  principalIds: readonly string[]
}>

/** Deletes rows older than six years by the database's clock. @returns the number of deleted rows */
export async function forgetOld({ pool }: Pick<Database, 'pool'>): Promise<number> {
  return deleteInBatches(async (limit) => {
    const { rows } = await pool.query<{ count: number }>('SELECT log.forget_phi_audit($1) AS count', [limit])
    return { count: rows[0]?.count ?? 0 }
  })
}

type Cursor = { at: Date; id: string }

function parseCursor(text: string): Cursor {
  const [, ms, id] = /^(\d{1,15})\.(\d{1,18})$/.exec(text) ?? []
  if (id === undefined) throw new Problem('validation', { field: 'before' })
  return { at: new Date(Number(ms)), id }
}

function conditions(
  filter: Omit<AccessFilter, 'from' | 'to'> & Period,
  cursor: Cursor | null,
  bind: (value: unknown) => string,
): string[] {
  const { principalId, action, resourceType, patientId, outcome, correlationId, from, to } = filter
  return [
    ...(principalId === undefined ? [] : [`${bind(principalId)} IN (principal_id, client_id)`]),
    ...(action === undefined ? [] : [`action = ${bind(action)}`]),
    ...(resourceType === undefined ? [] : [`resource_type = ${bind(resourceType)}`]),
    ...(patientId === undefined ? [] : [`patient_id = ${bind(patientId)}`]),
    ...(outcome === undefined ? [] : [`outcome = ${bind(outcome)}`]),
    ...(correlationId === undefined ? [] : [`correlation_id = ${bind(correlationId)}`]),
    ...(from === undefined ? [] : [`at >= ${bind(from)}`]),
    ...(to === undefined ? [] : [`at < ${bind(to)}`]),
    // The first condition is redundant, but it lets PostgreSQL skip the partitions of later months.
    ...(cursor === null
      ? []
      : [`at <= ${bind(cursor.at)}`, `(at, id) < (${bind(cursor.at)}, ${bind(cursor.id)}::bigint)`]),
  ]
}
