import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { migrate } from '../../server/store/migrations.ts'
import { APP_ROLE, type DatabaseUrls } from '../../server/store/roles.ts'
import { loadCast } from './cast.ts'
import type { TestServer } from './test-server.ts'

export type TestDatabase = DatabaseUrls & {
  /** Acts as the server's plain role, as the server does. */
  pool: pg.Pool
  /** On that same pool. */
  prisma: PrismaClient
  /** Acts as the owner: to look at, or to break, what the server may not. */
  ownerPool: pg.Pool
  /** Drops the database; happens by itself at the end of the test file. */
  close: () => Promise<void>
}

/** `cast`: migrated, with the pinned people. `schema`: migrated only. `empty`: nothing at all. */
export type Template = 'cast' | 'schema' | 'empty'

/** Any number will do, as long as every worker takes the same. */
const TEMPLATE_LOCK = 20261120

const open = new Set<TestDatabase>()
afterAll(async () => {
  for (const database of open) await database.close()
})

/**
 * A real database of its own for a test file: a copy of the template, made in about 50 ms. The template
 * is made by whoever asks first.
 */
export async function testDatabase(template: Template = 'cast'): Promise<TestDatabase> {
  const server = inject('testServer')
  const name = `${server.prefix}${randomUUID().slice(0, 8)}`
  await asAdmin(server, async (client) => {
    if (template !== 'empty') await prepareTemplate(client, server, template)
    await createDatabase(client, server, name, template)
  })
  const urls = urlsOf(server, name)
  const pool = openPool(urls.appUrl)
  const ownerPool = openPool(urls.ownerUrl)
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  const database: TestDatabase = {
    ...urls,
    pool,
    ownerPool,
    prisma,
    close: async () => {
      open.delete(database)
      await prisma.$disconnect()
      await Promise.all([pool.end(), ownerPool.end()])
      await asAdmin(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
    },
  }
  open.add(database)
  return database
}

async function prepareTemplate(client: pg.Client, server: TestServer, template: 'cast' | 'schema') {
  const name = templateName(server, template)
  if (await databaseExists(client, name)) return
  if (template === 'cast') await prepareTemplate(client, server, 'schema')
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
  try {
    if (await databaseExists(client, name)) return
    // Under its name only when it is whole: nobody copies half a template.
    const draft = `${name}_draft`
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
    await createDatabase(client, server, draft, template === 'cast' ? 'schema' : 'empty')
    const urls = urlsOf(server, draft)
    if (template === 'schema') await migrate({ ownerUrl: urls.ownerUrl, appRole: urls.appRole })
    else await loadCast(urls)
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`)
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK])
  }
}

async function createDatabase(client: pg.Client, server: TestServer, name: string, template: Template) {
  const source = template === 'empty' ? 'template0' : templateName(server, template)
  const owner = server.ownerRole ? ` OWNER ${server.ownerRole}` : ''
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${source}${owner}`)
}

async function databaseExists(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
  return rowCount === 1
}

function templateName(server: TestServer, template: 'cast' | 'schema'): string {
  return `${server.prefix}template_${template}`
}

function urlsOf(server: TestServer, name: string): DatabaseUrls {
  return {
    ownerUrl: server.ownerUrl.replace('DATABASE', name),
    appUrl: server.appUrl.replace('DATABASE', name),
    appRole: APP_ROLE,
  }
}

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 10 })
  // A connection that is dropped while idle is no test's failure.
  pool.on('error', () => {})
  return pool
}

async function asAdmin<T>(server: TestServer, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.adminUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
