/**
 * Locks that show which workers are alive. Every worker holds a session-level advisory lock named by its id, on its own
 * connection. PostgreSQL releases it when the connection ends, so a free lock means that the worker is gone and others
 * may take over its jobs. Without this, a job of a killed worker would wait for four hours.
 */
import type pg from 'pg'
import type { Logger } from 'pino'
import { createStandingConnection, type StandingConnection } from '../store/standing-connection.ts'

type Dependencies = { connectionString: string; log: Logger }

export type WorkerLock = ReturnType<typeof createWorkerLock>

export function createWorkerLock({ connectionString, log }: Dependencies) {
  let connection: StandingConnection | null = null

  return {
    /** Resolves once the lock is held; until then the worker may take no job. */
    acquire(workerId: string): Promise<void> {
      connection ??= createStandingConnection({
        connectionString,
        applicationName: 'sandpiper worker lock',
        log,
        prepare: (client) =>
          client.query("SELECT pg_advisory_lock(hashtextextended('sandpiper worker ' || $1, 0))", [workerId]),
      })
      return connection.opened()
    },
    async release(): Promise<void> {
      await connection?.close()
    },
  }
}

/**
 * Unlocks the jobs of dead workers.
 * @param self ids of this process's workers, which never count as dead, even while their connection is renewed
 * @returns the ids of the dead workers
 */
export async function unlockDeadWorkers(pool: pg.Pool, self: readonly string[]): Promise<string[]> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      'SELECT DISTINCT locked_by AS id FROM graphile_worker.jobs WHERE locked_by <> ALL ($1)',
      [self],
    )
    const dead: string[] = []
    for (const { id } of rows) if (await unlockIfDead(client, id)) dead.push(id)
    return dead
  } finally {
    client.release()
  }
}

async function unlockIfDead(client: pg.PoolClient, workerId: string): Promise<boolean> {
  // A single statement takes the dead worker's lock and unlocks its jobs, so only one process does it.
  const { rows } = await client.query(
    `SELECT graphile_worker.force_unlock_workers(ARRAY[$1])
      WHERE pg_try_advisory_xact_lock(hashtextextended('sandpiper worker ' || $1, 0))`,
    [workerId],
  )
  return rows.length > 0
}
