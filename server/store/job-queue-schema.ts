/** The tables of the job queue, which graphile-worker migrates itself: https://worker.graphile.org/docs/schema */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { createPool } from './pool.ts'
import { patientPool } from './retry.ts'

/**
 * Migrates the schema `graphile_worker` as the owner, because the server's role may not.
 * Loading the package costs more than the version check, so it is loaded only if there is work.
 */
export async function migrateJobQueue(client: pg.Client, ownerUrl: string): Promise<void> {
  if ((await appliedVersion(client)) >= packagedVersion()) return
  const { Logger, runMigrations } = await import('graphile-worker')
  const pool = createPool({ connectionString: ownerUrl, max: 2, ...patientPool, statementTimeoutMs: 0 })
  await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) }).finally(() => pool.end())
}

async function appliedVersion(client: pg.Client): Promise<number> {
  const { rows: found } = await client.query(
    `SELECT to_regclass('graphile_worker.migrations') IS NOT NULL AS exists`,
  )
  if (!found[0]?.exists) return 0
  const { rows } = await client.query('SELECT max(id) AS version FROM graphile_worker.migrations')
  return rows[0]?.version ?? 0
}

function packagedVersion(): number {
  const main = createRequire(import.meta.url).resolve('graphile-worker')
  const files = readdirSync(join(dirname(main), '../sql'))
  return Math.max(...files.map((name) => Number.parseInt(name, 10)).filter(Number.isInteger))
}
