/** A database of the bench's own, migrated and empty, in a folder that goes with it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discardPostgres, startPostgres } from '../scripts/postgres/start.mjs'
import { ensureSecrets } from '../scripts/setup/secrets.mjs'
import { migrate } from '../server/store/migrations.ts'
import type { createPool } from '../server/store/pool.ts'
import { type Undo, withCleanUp } from './clean-up.ts'

export interface BenchDatabase {
  readonly folder: string
  /** Of the data, which names its processes. */
  readonly cluster: string
  readonly ownerUrl: string
  /** Starts it again after it was stopped. */
  readonly revive: () => Promise<boolean>
  /** For programs that shall use it. */
  readonly environment: Readonly<Record<string, string>>
}

/** @param flags settings of the database, such as `fsync=off` */
export async function withBenchDatabase(
  work: (database: BenchDatabase, undo: Undo) => Promise<void>,
  flags: string[] = [],
): Promise<void> {
  await withCleanUp(async (undo) => {
    const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'))
    undo(() => rmSync(folder, { recursive: true, force: true }))
    chmodSync(folder, 0o755)
    const dataDir = join(folder, 'postgres')
    undo(() => discardPostgres(dataDir))
    const { ownerUrl, appUrl, cluster, revive } = await startPostgres({ dataDir, flags })
    await migrate({ ownerUrl })
    const environment = {
      ...ensureSecrets(folder),
      NODE_ENV: 'test',
      SANDPIPER_EMBEDDED: '1',
      PUBLIC_ORIGIN: 'http://localhost:3000',
      DATABASE_URL: appUrl,
      DATABASE_MIGRATION_URL: ownerUrl,
      DATA_DIR: folder,
    }
    await work({ folder, cluster, ownerUrl, revive, environment }, undo)
  })
}

/** How many resources a practice has, and how many MB their texts are. */
export async function sizeOfPractice(
  pool: ReturnType<typeof createPool>,
  slug: string,
): Promise<{ resources: number; megabytes: number }> {
  const { rows } = await pool.query<{ resources: number; bytes: string | null }>(
    `SELECT count(*)::int AS resources, sum(octet_length(content)) AS bytes
     FROM clinical.resource JOIN portal.practice p USING (dataset_id) WHERE p.slug = $1`,
    [slug],
  )
  return { resources: rows[0]?.resources ?? 0, megabytes: Number(rows[0]?.bytes ?? 0) / 1_000_000 }
}
