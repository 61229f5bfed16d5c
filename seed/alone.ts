import type pg from 'pg'

/** Any number, as long as every seed and every import takes the same. */
const seedLock = 727_073_702

/**
 * Seeds and imports happen one at a time. Holds a lock of the database's own, which ends with the connection when
 * this process is killed.
 */
export async function alone<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('SET statement_timeout = 0')
    await client.query('SELECT pg_advisory_lock($1)', [seedLock])
    return await work(client)
  } finally {
    client.release(true) // closes it, and the lock and the setting with it
  }
}
