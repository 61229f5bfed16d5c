/** Reading what a key or an app did. For the portal; who may read it is decided there. */
import type pg from 'pg'
import { Problem } from '../contract/problems.ts'
import { describeRefusal } from '../contract/refusal-reasons.ts'

export type ActivityFilter = {
  /** `next` of the page before. */
  before?: string
  /** 1 to 200. */
  limit: number
  status?: number | 'served' | 'refused'
  /** A route pattern. */
  route?: string
  /** Ours or the caller's. */
  correlationId?: string
}

/** Whose calls: a key's, or an app's by its wire client_id. */
export type ActivityOwner = { keyId: string; clientId?: undefined } | { clientId: string; keyId?: undefined }

export type ActivityEntry = {
  at: Date
  method: string
  route: string
  status: number
  ip: string | null
  durationMs: number
  correlationId: string
  clientCorrelationId: string | null
  /** A sentence for the owner of the key or app; null when it was served. */
  refusalReason: string | null
  fromBrowser: boolean
  count: number
}

export type ActivityPage = { rows: ActivityEntry[]; next: string | null }

export type DayCount = { day: string; served: number; refused: number }

const limitMax = 200
const dayMs = 86_400_000

export function createActivityLog({ pool }: { pool: pg.Pool }) {
  /**
   * One page, newest first.
   * @throws Problem `validation` for a `before` that is not of this log
   */
  async function page(asked: ActivityOwner & ActivityFilter): Promise<ActivityPage> {
    const { keyId, clientId, ...filter } = asked
    const limit = Math.min(Math.max(Math.trunc(filter.limit), 1), limitMax)
    const values: unknown[] = [keyId ?? clientId]
    const bind = (value: unknown) => `$${values.push(value)}`
    const where = [keyId === undefined ? 'client_id = $1' : 'key_id = $1', ...conditions(filter, bind)]
    const { rows } = await pool.query<
      Omit<ActivityEntry, 'refusalReason'> & { id: string; refusal: string | null }
    >(
      `SELECT id::text, at, method, route, status, host(ip) AS ip, duration_ms AS "durationMs",
         correlation_id AS "correlationId", client_correlation_id AS "clientCorrelationId",
         refusal, from_browser AS "fromBrowser", count
       FROM log.activity WHERE ${where.join(' AND ')}
       ORDER BY activity.at DESC, activity.id DESC LIMIT ${bind(limit + 1)}`,
      values,
    )
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return {
      rows: shown.map(({ id: _, refusal, ...entry }) => ({
        ...entry,
        refusalReason: refusal === null ? null : describeRefusal(refusal),
      })),
      next: rows.length > limit && last ? `${last.at.getTime()}.${last.id}` : null,
    }
  }

  /** Served and refused requests per UTC day of the last `days` days, oldest first, days without any included. */
  async function countByDay(options: {
    keyIds: readonly string[]
    days: number
    now: Date
  }): Promise<Map<string, DayCount[]>> {
    const { keyIds, days, now } = options
    const names = Array.from({ length: days }, (_, index) =>
      new Date(now.getTime() - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
    )
    const { rows } = await pool.query<{ keyId: string; day: string; served: string; refused: string }>(
      `SELECT key_id AS "keyId", day::text, served::text, refused::text FROM log.activity_day
       WHERE key_id = ANY ($1::uuid[]) AND day BETWEEN $2::date AND $3::date`,
      [keyIds, names[0], names.at(-1)],
    )
    const counted = new Map(
      rows.map(({ keyId, day, served, refused }) => [
        `${keyId} ${day}`,
        { day, served: Number(served), refused: Number(refused) },
      ]),
    )
    return new Map(
      keyIds.map((keyId) => [
        keyId,
        names.map((day) => counted.get(`${keyId} ${day}`) ?? { day, served: 0, refused: 0 }),
      ]),
    )
  }

  /** When each key last authenticated a request; a key that never did is not in the map. */
  async function findLastUsed(keyIds: readonly string[]): Promise<Map<string, Date>> {
    const { rows } = await pool.query<{ keyId: string; at: Date }>(
      `SELECT key_id AS "keyId", max(last_used_at) AS at FROM log.activity_day
       WHERE key_id = ANY ($1::uuid[]) AND last_used_at IS NOT NULL GROUP BY key_id`,
      [keyIds],
    )
    return new Map(rows.map(({ keyId, at }) => [keyId, at]))
  }

  return { page, countByDay, findLastUsed }
}

export type ActivityLog = ReturnType<typeof createActivityLog>

function conditions(filter: ActivityFilter, bind: (value: unknown) => string): string[] {
  const { before, status, route, correlationId } = filter
  const found: string[] = []
  if (before !== undefined) {
    const [, at, id] = /^(\d{1,15})\.(\d{1,18})$/.exec(before) ?? []
    if (at === undefined)
      throw new Problem('validation', { message: 'This page does not exist.', field: 'before' })
    found.push(`(at, id) < (${bind(new Date(Number(at)))}::timestamptz, ${bind(id)}::bigint)`)
  }
  if (status === 'served') found.push('refusal IS NULL')
  else if (status === 'refused') found.push('refusal IS NOT NULL')
  else if (status !== undefined) found.push(`status = ${bind(status)}::int`)
  if (route !== undefined) found.push(`route = ${bind(withoutNul(route))}`)
  if (correlationId !== undefined) {
    const column = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(correlationId)
      ? 'correlation_id'
      : 'client_correlation_id'
    found.push(`${column} = ${bind(withoutNul(correlationId))}`)
  }
  return found
}

/** PostgreSQL takes every character but this one. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
