/** The connections of import and export, and the lock that seeds and imports take. */

import type pg from 'pg'
import pino from 'pino'
import type { PrismaClient } from '../prisma/generated/client/client.ts'
import { parseEnv } from '../server/env.ts'
import { contentStorageOf } from '../server/start/folders.ts'
import { createPrismaAdapter } from '../server/store/database-client.ts'
import { createPool } from '../server/store/pool.ts'
import { patientPool, patientTransactions } from '../server/store/retry.ts'
import { prepareDatabaseUrls } from '../server/store/roles.ts'
import { createStore, type Store } from '../server/store/store.ts'

interface ToolDatabase {
  readonly pool: pg.Pool
  readonly prisma: PrismaClient
  readonly store: Store
}

/**
 * Opens the database that the environment names, as the owner of its tables: an import needs temporary tables, which
 * the server's own role may not create. The connections close when the work is done.
 */
export async function withDatabase<Result>(
  applicationName: string,
  work: (database: ToolDatabase) => Promise<Result>,
): Promise<Result> {
  const env = parseEnv()
  const { ownerUrl } = await prepareDatabaseUrls({
    databaseUrl: env.DATABASE_URL,
    migrationUrl: env.DATABASE_MIGRATION_URL,
  })
  const log = pino({ level: 'error', base: null }, pino.destination(2))
  const pool = createPool({
    connectionString: ownerUrl,
    max: 4,
    ...patientPool,
    statementTimeoutMs: 0,
    log,
    applicationName,
  })
  const { PrismaClient } = await import('../prisma/generated/client/client.ts')
  const adapter = createPrismaAdapter(pool)
  const prisma = new PrismaClient({ adapter, transactionOptions: patientTransactions })
  try {
    return await work({
      pool,
      prisma,
      store: createStore({ pool, clock: () => new Date(), contents: contentStorageOf(env) }),
    })
  } finally {
    await prisma.$disconnect()
    await pool.end()
  }
}

/** An arbitrary number that all seeds and imports share. */
const seedLock = 727_073_702

/**
 * Runs seeds and imports one at a time. The advisory lock ends with the connection if this process is killed.
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
