/**
 * The partitions of the logs, one for each UTC month. The database makes the months ahead and drops those
 * that are over; this asks it to, in moments when no one has the tables for long.
 */
import type pg from 'pg'

/** Where the logs are kept: a pool, or one connection. */
type Database = Readonly<{ pool: Pick<pg.Pool, 'query'> | Pick<pg.ClientBase, 'query'> }>

const monthlyLogs = ['activity', 'phi_audit'] as const

/** A person uses the table, such as a backup; each try makes writers wait a quarter of a second. */
const triesMax = 5
const pauseMs = 1_000
const lockNotAvailable = '55P03'

/** By the server's own user. @returns what was done, and what has to wait */
export async function renewLogMonths({ pool }: Database): Promise<string[]> {
  const months: string[] = []
  for (const log of monthlyLogs)
    months.push(...(await renew(pool, log, 'SELECT log.renew_months($1) AS done', [log])))
  return months
}

/** By the tables' owner, who also moves as many rows as it takes. Nothing before the migration that makes them. */
export async function renewLogMonthsAsOwner({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ known: boolean }>(
    `SELECT to_regprocedure('log.renew(text, bigint)') IS NOT NULL AS known`,
  )
  if (!rows[0]?.known) return []
  const months: string[] = []
  for (const log of monthlyLogs)
    months.push(...(await renew(pool, log, 'SELECT log.renew($1, NULL) AS done', [log])))
  return months
}

async function renew(client: Database['pool'], log: string, text: string, values: string[]) {
  for (let tries = 1; ; tries++) {
    try {
      const { rows } = await client.query<{ done: string[] }>(text, values)
      return rows[0]?.done ?? []
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error
      if (tries === triesMax) return [`log.${log} is in use: its months are renewed another time`]
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** How far rows have months of their own. Empty before the first migration. */
export async function findMonthEnds({ pool }: Database): Promise<{ log: string; end: Date }[]> {
  const { rows } = await pool.query<{ log: string; end: Date }>(
    'SELECT name AS log, log.months_end(name) AS end FROM unnest($1::text[]) AS name',
    [monthlyLogs],
  )
  return rows
}

/** How long rows have months of their own yet. */
export async function findMonthsAhead({ pool, clock }: Database & { clock: () => Date }) {
  const now = clock().getTime()
  return (await findMonthEnds({ pool })).map(({ log, end }) => ({
    log,
    aheadSeconds: (end.getTime() - now) / 1_000,
  }))
}
