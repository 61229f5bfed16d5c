/**
 * Renews the partitions of the logs, one for each UTC month: database functions create future months and drop expired ones.
 * It gives up quickly if a table is locked for long.
 */
import type pg from 'pg'

/** A pool or a single connection to the database with the logs. */
type Database = Readonly<{ pool: Pick<pg.Pool, 'query'> | Pick<pg.ClientBase, 'query'> }>

const monthlyLogs = ['activity', 'phi_audit'] as const

/** Attempts while a table is locked, for example by a backup. Each one makes writers wait a quarter of a second. */
const triesMax = 5
const pauseMs = 1_000
const lockNotAvailable = '55P03'

/** Runs as the server's own user. @returns log messages about what was done and what has to wait */
export async function renewLogMonths({ pool }: Database): Promise<string[]> {
  const months: string[] = []
  for (const log of monthlyLogs)
    months.push(...(await renew(pool, log, 'SELECT log.renew_months($1) AS done', [log])))
  return months
}

/** Runs as the tables' owner, who may also move any number of rows. Does nothing before the migration that creates the logs. */
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

/** @returns for each log the time until which partitions exist. Empty before the first migration. */
export async function findMonthEnds({ pool }: Database): Promise<{ log: string; end: Date }[]> {
  const { rows } = await pool.query<{ log: string; end: Date }>(
    'SELECT name AS log, log.months_end(name) AS end FROM unnest($1::text[]) AS name',
    [monthlyLogs],
  )
  return rows
}

/** @returns for each log how far ahead partitions exist */
export async function findMonthsAhead({ pool, clock }: Database & { clock: () => Date }) {
  const now = clock().getTime()
  return (await findMonthEnds({ pool })).map(({ log, end }) => ({
    log,
    aheadSeconds: (end.getTime() - now) / 1_000,
  }))
}
