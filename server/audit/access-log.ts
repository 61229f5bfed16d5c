/** Reading a practice's own record of access to its patients' data. Who may read it is decided by the domain. */
import type pg from 'pg'
import { Problem } from '../contract/http/problems.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'

export type AccessFilter = Readonly<{
  /** Of the principal, as it is kept. */
  principalId?: string
  action?: string
  resourceType?: string
  patientId?: string
  outcome?: 'served' | 'refused' | 'failed'
  /** Ours. */
  correlationId?: string
  from?: Date
  to?: Date
  /** `next` of the page before. */
  before?: string
  /** 1 to 1,000. */
  limit: number
}>

export type AccessEntry = Readonly<{
  at: Date
  principalKind: string
  principalId: string
  action: string
  resourceType: string | null
  patientId: string | null
  count: number
  purpose: string
  outcome: 'served' | 'refused' | 'failed'
  correlationId: string
}>

type AccessPage = Readonly<{ rows: readonly AccessEntry[]; next: string | null }>

/** Where the logs are kept. */
type Database = Readonly<{ pool: pg.Pool }>

const limitMax = 1_000

/**
 * One page, newest first.
 * @throws Problem `validation` for a `before` that is not of this log
 */
export async function page(
  { pool }: Database,
  practiceId: string,
  filter: AccessFilter,
): Promise<AccessPage> {
  const limit = Math.min(Math.max(Math.trunc(filter.limit), 1), limitMax)
  const values: unknown[] = [practiceId]
  const bind = (value: unknown) => `$${values.push(value)}`
  const where = ['practice_id = $1', ...conditions(filter, bind)]
  const { rows } = await pool.query<AccessEntry & { id: string }>(
    `SELECT id::text, at, principal_kind AS "principalKind", principal_id AS "principalId", action,
         resource_type AS "resourceType", patient_id AS "patientId", count, purpose, outcome,
         correlation_id AS "correlationId"
       FROM log.phi_audit WHERE ${where.join(' AND ')}
       ORDER BY at DESC, id DESC LIMIT ${bind(limit + 1)}`,
    values,
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown.map(({ id: _, ...row }) => row),
    next: rows.length > limit && last ? `${last.at.getTime()}.${last.id}` : null,
  }
}

/** When an app last read something of a patient's record as one of these principals; null for never. */
export async function lastRead(
  { pool }: Database,
  place: Readonly<{
    practiceId: string
    patientId: string
    clientId: string
    principalIds: readonly string[]
  }>,
): Promise<Date | null> {
  const { rows } = await pool.query<{ at: Date }>(
    `SELECT at FROM log.phi_audit
       WHERE practice_id = $1 AND patient_id = $2 AND client_id = $3 AND principal_id = ANY($4) AND outcome = 'served'
       ORDER BY at DESC LIMIT 1`,
    [place.practiceId, place.patientId, place.clientId, place.principalIds],
  )
  return rows[0]?.at ?? null
}

/** Forgets what is older than six years, by the database's clock. @returns how many rows went */
export async function forgetOld({ pool }: Database): Promise<number> {
  return deleteInBatches(async (limit) => {
    const { rows } = await pool.query<{ count: number }>('SELECT log.forget_phi_audit($1) AS count', [limit])
    return { count: rows[0]?.count ?? 0 }
  })
}

function conditions(filter: AccessFilter, bind: (value: unknown) => string): string[] {
  const { principalId, action, resourceType, patientId, outcome, correlationId, from, to, before } = filter
  const [, ms, id] = before === undefined ? [] : (/^(\d{1,15})\.(\d{1,18})$/.exec(before) ?? [])
  if (before !== undefined && id === undefined) throw new Problem('validation', { field: 'before' })
  return [
    ...(principalId === undefined ? [] : [`principal_id = ${bind(principalId)}`]),
    ...(action === undefined ? [] : [`action = ${bind(action)}`]),
    ...(resourceType === undefined ? [] : [`resource_type = ${bind(resourceType)}`]),
    ...(patientId === undefined ? [] : [`patient_id = ${bind(patientId)}`]),
    ...(outcome === undefined ? [] : [`outcome = ${bind(outcome)}`]),
    ...(correlationId === undefined ? [] : [`correlation_id = ${bind(correlationId)}`]),
    ...(from === undefined ? [] : [`at >= ${bind(from)}`]),
    ...(to === undefined ? [] : [`at < ${bind(to)}`]),
    ...(id === undefined ? [] : [`(at, id) < (${bind(new Date(Number(ms)))}, ${bind(id)}::bigint)`]),
  ]
}
