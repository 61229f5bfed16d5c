/** Compares the clocks of the server and of the database. */
import type pg from 'pg'

/**
 * Seconds by which the database's clock is ahead of this machine's. The error is at most half the query's round trip.
 * @param now this machine's clock in milliseconds; a test replaces it
 */
export async function readClockOffset(pool: Pick<pg.Pool, 'query'>, now: () => number = Date.now) {
  const sentAt = now()
  const { rows } = await pool.query<{ ms: number }>(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
  )
  const middle = (sentAt + now()) / 2
  return ((rows[0]?.ms ?? middle) - middle) / 1_000
}
