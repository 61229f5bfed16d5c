import pg from 'pg'
import { inject } from 'vitest'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { createPrismaAdapter } from '../../server/store/database-client.ts'
import type { DatabaseUrls } from '../../server/store/roles.ts'
import { createTestDatabase, type Template } from './test-databases.ts'
import { closeAtEndOfFile } from './to-close.ts'

export type { Template } from './test-databases.ts'

export type TestDatabase = DatabaseUrls & {
  /** Acts as the server's plain role, as the server does. */
  pool: pg.Pool
  /** On that same pool. */
  prisma: PrismaClient
  /** Acts as the owner: to look at, or to break, what the server may not. */
  ownerPool: pg.Pool
  /** Cuts connections for which a condition on pg_stat_activity holds. @returns how many */
  cut: (condition: string, ...values: unknown[]) => Promise<number>
  /** Tables of which a row holds this text anywhere. */
  tablesWith: (text: string) => Promise<string[]>
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
  const tablesWith = async (text: string) => {
    const { rows } = await ownerPool.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_schema IN ('portal', 'log') AND table_type = 'BASE TABLE' ORDER BY 1`,
    )
    const found: string[] = []
    for (const { name } of rows) {
      const held = `SELECT FROM ${name} t WHERE t::text LIKE $1 LIMIT 1`
      if ((await ownerPool.query(held, [`%${text}%`])).rowCount) found.push(name)
    }
    return found
  }
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
    tablesWith,
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
