import pg from 'pg'
import { inject } from 'vitest'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { createPrismaAdapter } from '../../server/store/database-client.ts'
import type { DatabaseUrls } from '../../server/store/roles.ts'
import { createTestDatabase, type Template } from './test-databases.ts'
import { closeAtEndOfFile } from './to-close.ts'

export type { Template } from './test-databases.ts'

export type TestDatabase = DatabaseUrls & {
  /** By way of PgBouncer; null: nobody asked for it. */
  pooledUrl: string | null
  /** Acts as the server's plain role, as the server does. */
  pool: pg.Pool
  /** On that same pool. */
  prisma: PrismaClient
  /** Acts as the owner: to look at, or to break, what the server may not. */
  ownerPool: pg.Pool
  /** Cuts connections for which a condition on pg_stat_activity holds. @returns how many */
  cut: (condition: string, ...values: unknown[]) => Promise<number>
  /** Drops the database; happens by itself at the end of the test file. */
  close: () => Promise<void>
}

/**
 * A real database of its own for a test file: a copy of the template, made in about 50 ms. The template
 * is made by whoever asks first.
 */
export async function testDatabase(template: Template = 'cast'): Promise<TestDatabase> {
  const { drop, cut, ...urls } = await createTestDatabase(inject('testServer'), template)
  const pool = openPool(urls.appUrl)
  const ownerPool = openPool(urls.ownerUrl)
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) })
  const close = async () => {
    await prisma.$disconnect()
    await Promise.all([pool.end(), ownerPool.end()])
    await drop()
  }
  let closed: Promise<void> | undefined
  const database: TestDatabase = {
    ...urls,
    pool,
    ownerPool,
    prisma,
    cut,
    close: () => (closed ??= close()),
  }
  closeAtEndOfFile(database.close)
  return database
}

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 10 })
  // A connection that is cut is no test's failure, be it idle or in use.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
