/** Whether the machines of the server and of the database agree about the time. */
import type pg from 'pg'

/**
 * Seconds by which the clock of the database is ahead of this machine's; half the time of the question is its error.
 * @param now milliseconds; the machine's own clock, which a test replaces
 */
export async function readClockOffset(pool: Pick<pg.Pool, 'query'>, now: () => number = Date.now) {
  const sentAt = now()
  const { rows } = await pool.query<{ ms: number }>(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
  )
  const middle = (sentAt + now()) / 2
  return ((rows[0]?.ms ?? middle) - middle) / 1_000
}
