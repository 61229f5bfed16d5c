/** Queries of the activity log for the portal, which decides who may read it. */
import type pg from 'pg'
import { Problem } from '../contract/http/problems.ts'
import type { StatusClass } from '../contract/keys/key-life.ts'
import { describeRefusal } from '../contract/keys/refusal-reasons.ts'
import { answeringFaults } from '../contract/lab/faults.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'
import { createStatementNames } from '../store/statement-names.ts'

export type ActivityFilter = {
  /** The `next` of the previous page. */
  before?: string
  /** 1 to 200. */
  limit: number
  status?: number | 'served' | 'refused' | StatusClass
  method?: string
  /** A route pattern. */
  route?: string
  /** A code of contract/keys/refusal-reasons.ts. */
  refusal?: string
  from?: Date
  /** The server's own ID or the caller's. */
  correlationId?: string
}

/** Whose calls to read: an API key's, or an app's by the client_id that it sends. */
type ActivityOwner = { keyId: string; clientId?: undefined } | { clientId: string; keyId?: undefined }

/** Several keys and apps, and key prefixes from requests whose key failed authentication. */
export type Callers = {
  keyIds: readonly string[]
  clientIds: readonly string[]
  claimedPrefixes: readonly string[]
}

export type ActivityEntry = {
  at: Date
  method: string
  route: string
  status: number
  ip: string | null
  durationMs: number
  correlationId: string
  clientCorrelationId: string | null
  /** The refusal as a sentence for the key's or app's owner; null for a served request. */
  refusalReason: string | null
  /** The refusal's code in contract/keys/refusal-reasons.ts. */
  refusal: string | null
  fromBrowser: boolean
  count: number
  /** The fault that the Fault Lab injected, if any. */
  fault: string | null
  keyId: string | null
  clientId: string | null
  claimedPrefix: string | null
}

type ActivityPage = { rows: ActivityEntry[]; next: string | null }

type DayCount = { day: string; served: number; refused: number }

type Database = Readonly<{ pool: pg.Pool }>

const limitMax = 200
const dayMs = 86_400_000

const statementOf = createStatementNames('log')

/** A named statement keeps its plan. Planning a query over all monthly partitions takes longer than running it. */
const runNamed = async <Row extends object>(pool: pg.Pool, text: string, values: unknown[]) =>
  pool.query<Row>({ ...statementOf(text, text), values })

/** One page of one caller's requests, newest first. @throws Problem as `pageOf` does */
export function page(
  database: Database,
  { keyId, clientId, ...filter }: ActivityOwner & ActivityFilter,
): Promise<ActivityPage> {
  const callers = { keyIds: keyId ? [keyId] : [], clientIds: clientId ? [clientId] : [], claimedPrefixes: [] }
  return pageOf(database, { ...callers, ...filter })
}

/**
 * One page of several callers' requests, newest first.
 * @throws Problem `validation` for a `before` that is not of this log
 */
export async function pageOf(
  { pool }: Database,
  { keyIds, clientIds, claimedPrefixes, ...filter }: Callers & ActivityFilter,
): Promise<ActivityPage> {
  // In the SQL text: for a parameter PostgreSQL assumes a tenth of the log, and never keeps that plan.
  const limit = Math.min(Math.max(Math.trunc(filter.limit), 1), limitMax)
  const values: unknown[] = [keyIds, clientIds, claimedPrefixes]
  const where = conditions(filter, (value) => `$${values.push(value)}`)
  // Each caller's newest rows come from an index; one condition over all callers would read and sort every row.
  const newestOf = (caller: string, column: string) =>
    `SELECT own.* FROM unnest(${caller}) AS caller (id) CROSS JOIN LATERAL (
         SELECT * FROM log.activity WHERE ${[`${column} = caller.id`, ...where].join(' AND ')}
         ORDER BY at DESC, id DESC LIMIT ${limit + 1}) own`
  const { rows } = await runNamed<EntryRow>(
    pool,
    `SELECT ${entryColumns} FROM (
         ${newestOf('$1::uuid[]', 'key_id')} UNION ALL ${newestOf('$2::text[]', 'client_id')}
         UNION ALL ${newestOf('$3::text[]', 'claimed_prefix')}) activity
       ORDER BY activity.at DESC, activity.id DESC LIMIT ${limit + 1}`,
    values,
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown.map(toEntry),
    next: rows.length > limit && last ? `${last.at.getTime()}.${last.id}` : null,
  }
}

/**
 * When each key last authenticated a request, when a browser last sent one with it in the last `days` days, and the
 * served and refused requests of each of these UTC days, oldest first, days without any included.
 */
export async function readUse(
  { pool }: Database,
  { keyIds, days, now }: { keyIds: readonly string[]; days: number; now: Date },
) {
  const begin = new Date(now.getTime() - days * dayMs)
  const names = Array.from({ length: days }, (_, index) =>
    new Date(begin.getTime() + (index + 1) * dayMs).toISOString().slice(0, 10),
  )
  type Use = { id: string; lastUsedAt: Date | null; browserUseAt: Date | null; counted: DayCount[] }
  const { rows } = await runNamed<Use>(
    pool,
    `SELECT k.id, d.last AS "lastUsedAt", d.counted,
         (SELECT at FROM log.activity WHERE key_id = k.id AND from_browser AND at >= $2 ORDER BY at DESC LIMIT 1)
           AS "browserUseAt"
       FROM unnest($1::uuid[]) AS k (id) CROSS JOIN LATERAL (
         SELECT max(last_used_at) AS last, coalesce(jsonb_agg(jsonb_build_object(
             'day', day, 'served', served, 'refused', refused)) FILTER (WHERE day >= $3::date), '[]') AS counted
           FROM log.activity_day WHERE key_id = k.id) d`,
    [keyIds, begin, names[0]],
  )
  return new Map(
    rows.map(({ id, counted, ...use }) => [
      id,
      {
        ...use,
        days: names.map((day) => counted.find((each) => each.day === day) ?? { day, served: 0, refused: 0 }),
      },
    ]),
  )
}

/** When each key last authenticated a request; keys that never did are missing from the map. */
export async function findLastUsed({ pool }: Database, keyIds: readonly string[]) {
  const { rows } = await runNamed<{ keyId: string; at: Date }>(
    pool,
    `SELECT key_id AS "keyId", max(last_used_at) AS at FROM log.activity_day
       WHERE key_id = ANY ($1::uuid[]) AND last_used_at IS NOT NULL GROUP BY key_id`,
    [keyIds],
  )
  return new Map(rows.map(({ keyId, at }) => [keyId, at]))
}

/** The IP addresses from which a key has authenticated since a moment: the latest first, ten at most. */
export async function sources({ pool }: Database, { keyId, since }: { keyId: string; since: Date }) {
  const { rows } = await pool.query<Source>(
    `SELECT host(ip) AS ip, max(at) AS "lastAt", sum(count)::int AS calls FROM log.activity
       WHERE key_id = $1 AND at >= $2 AND status <> 401 AND ip IS NOT NULL
       GROUP BY ip ORDER BY 2 DESC LIMIT 10`,
    [keyId, since],
  )
  return rows
}

/** The callers of the requests with one of the server's own correlation IDs: usually one caller. */
export async function findCallers({ pool }: Database, correlationId: string) {
  const { rows } = await pool.query<{
    keyId: string | null
    claimedPrefix: string | null
    clientId: string | null
  }>(
    `SELECT DISTINCT key_id AS "keyId", claimed_prefix AS "claimedPrefix", client_id AS "clientId"
       FROM log.activity WHERE correlation_id = $1 LIMIT 10`,
    [correlationId],
  )
  return rows
}

/**
 * Requests of some callers since a moment, oldest first. Processes commit out of order, so a reader that follows the
 * log overlaps its reads a little and skips the rows whose `id` it knows.
 */
export async function since(
  { pool }: Database,
  { keyIds, clientIds, claimedPrefixes, from, limit }: Callers & { from: Date; limit: number },
): Promise<(ActivityEntry & { id: string })[]> {
  const { rows } = await runNamed<EntryRow>(
    pool,
    `SELECT * FROM (SELECT ${entryColumns} FROM log.activity
         WHERE (key_id = ANY ($1::uuid[]) OR client_id = ANY ($2::text[]) OR claimed_prefix = ANY ($3::text[]))
           AND at >= $4
         ORDER BY activity.at DESC, activity.id DESC LIMIT $5) newest ORDER BY at, id::bigint`,
    [keyIds, clientIds, claimedPrefixes, from, limit],
  )
  return rows.map((row) => ({ id: row.id, ...toEntry(row) }))
}

/** Deletes rows that are older than a year by the database's clock. @returns how many rows were deleted */
export function forgetOld({ pool }: Database): Promise<number> {
  return deleteInBatches(async (limit) => {
    const { rows } = await pool.query<{ count: number }>('SELECT log.forget_activity($1) AS count', [limit])
    return { count: rows[0]?.count ?? 0 }
  })
}

export type Source = { ip: string; lastAt: Date; calls: number }

const entryColumns = `id::text, at, method, route, status, host(ip) AS ip, duration_ms AS "durationMs",
  correlation_id AS "correlationId", client_correlation_id AS "clientCorrelationId",
  door, refusal, from_browser AS "fromBrowser", count, fault,
  key_id AS "keyId", client_id AS "clientId", claimed_prefix AS "claimedPrefix"`

type EntryRow = Omit<ActivityEntry, 'refusalReason'> & { id: string; door: string }

function toEntry(row: EntryRow): ActivityEntry {
  const { id: _id, door: _door, ...entry } = row
  return { ...entry, refusalReason: reasonOf(row) }
}

function reasonOf({ door, refusal, fault }: EntryRow): string | null {
  if (refusal === null) return null
  const [code] = fault?.split(';') ?? []
  // A fault that only delays a response is not the cause of its refusal.
  const isInjected = answeringFaults.some((each) => each === code)
  return isInjected ? `Injected by the Fault Lab: ${fault}.` : describeRefusal(refusal, door)
}

function conditions(filter: ActivityFilter, bind: (value: unknown) => string): string[] {
  const { before, status, method, route, refusal, from, correlationId } = filter
  const where: string[] = []
  if (before !== undefined) {
    const [, at, id] = /^(\d{1,15})\.(\d{1,18})$/.exec(before) ?? []
    if (at === undefined)
      throw new Problem('validation', { message: 'This page does not exist.', field: 'before' })
    const place = bind(new Date(Number(at)))
    // The first condition is redundant, but it lets PostgreSQL skip the partitions of later months.
    where.push(`at <= ${place}::timestamptz AND (at, id) < (${place}::timestamptz, ${bind(id)}::bigint)`)
  }
  if (status === 'served') where.push('refusal IS NULL')
  else if (status === 'refused') where.push('refusal IS NOT NULL')
  else if (typeof status === 'string') where.push(`status / 100 = ${bind(Number(status[0]))}::int`)
  else if (status !== undefined) where.push(`status = ${bind(status)}::int`)
  if (method !== undefined) where.push(`method = ${bind(withoutNul(method))}`)
  if (refusal !== undefined) where.push(`refusal = ${bind(withoutNul(refusal))}`)
  if (from !== undefined) where.push(`at >= ${bind(from)}::timestamptz`)
  if (route !== undefined) where.push(`route = ${bind(withoutNul(route))}`)
  if (correlationId !== undefined) {
    const column = correlationColumn(correlationId)
    where.push(`${column} = ${bind(withoutNul(correlationId))}`)
  }
  return where
}

const correlationColumn = (id: string): 'correlation_id' | 'client_correlation_id' =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? 'correlation_id' : 'client_correlation_id'

/** PostgreSQL rejects text that contains NUL. */
const withoutNul = (text: string) => text.replaceAll('\0', '')
