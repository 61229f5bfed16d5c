import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { testDatabase } from '../../tests/support/database.ts'
import { toProblem } from '../contract/http/problems.ts'
import { createPrismaAdapter, withDatabaseClient } from './database-client.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { createPool } from './pool.ts'

const closing: (() => Promise<unknown>)[] = []

const database = await testDatabase('schema')

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await takeWrites(true)
})

function open() {
  const pool = createPool({ connectionString: database.appUrl, max: 2 })
  closing.push(() => pool.end())
  return pool
}

/** As a server that was demoted, or whose disk its provider protects: new connections are told at login. */
async function takeWrites(writes: boolean): Promise<void> {
  const name = parseDatabaseUrl(database.ownerUrl).database
  await database.ownerPool.query(
    `SET default_transaction_read_only = off; ALTER DATABASE ${name} SET default_transaction_read_only = ${writes ? 'off' : 'on'}`,
  )
}

/** The test server behind a list of hosts of which the first refuses every connection. */
function behindDeadHost(): string {
  const { servers } = parseDatabaseUrl(database.appUrl)
  const { host, port } = servers[0] as { host: string; port: number }
  const url = new URL(database.appUrl)
  url.searchParams.set('host', `127.0.0.1,${host}`)
  url.searchParams.set('port', `1,${port}`)
  return url.href
}

test('of several hosts the one that is a primary is used', async () => {
  const pool = createPool({ connectionString: behindDeadHost(), max: 4 })
  closing.push(() => pool.end())

  const results = await Promise.all(Array.from({ length: 4 }, () => pool.query('SELECT 1 AS one')))

  expect(results.map(({ rows }) => rows[0].one)).toEqual([1, 1, 1, 1])
})

test('a host that goes away while its connection is idle costs no query: the next host is asked', async () => {
  const { servers } = parseDatabaseUrl(database.appUrl)
  const { host, port } = servers[0] as { host: string; port: number }
  const path = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const sockets: Socket[] = []
  const proxy = createServer((near) => {
    const far = connect(path)
    for (const socket of [near, far]) sockets.push(socket.on('error', () => {}))
    near.pipe(far).pipe(near)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(database.appUrl)
  url.searchParams.set('host', `127.0.0.1,${host}`)
  url.searchParams.set('port', `${(proxy.address() as AddressInfo).port},${port}`)
  const pool = createPool({ connectionString: url.href, max: 1 })
  closing.push(() => pool.end())
  await pool.query('SELECT 1')

  proxy.close()
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => pool.totalCount).toBe(0)

  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

test('when none of several hosts can be used, each is named with its reason', async () => {
  await takeWrites(false)

  const failure = await withDatabaseClient(behindDeadHost(), async () => {}).catch((error: Error) => error)

  expect(String(failure)).toMatch(/127\.0\.0\.1:1: .*ECONNREFUSED.*; .*is a standby, or takes no writes/)
  expect(toProblem(failure)).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 })
})

test('a server that takes no writes is refused at once, by the pool and by Prisma, as unavailable', async () => {
  await takeWrites(false)
  const pool = open()
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) })
  closing.unshift(() => prisma.$disconnect())

  const failures = await Promise.all([
    pool.query('SELECT 1').catch((error: unknown) => error),
    prisma.practice.count().catch((error: unknown) => error),
    prisma.$transaction((tx) => tx.practice.count()).catch((error: unknown) => error),
  ])

  expect(failures.map((each) => toProblem(each).kind)).toEqual(['unavailable', 'unavailable', 'unavailable'])
  await takeWrites(true)
  expect(await prisma.practice.count()).toBe(0)
})

test('a connection whose server stops taking writes is dropped, and the next one is a good one', async () => {
  const pool = open()
  const { rows: before } = await pool.query('SELECT pg_backend_pid() AS pid')

  await pool.query('SET default_transaction_read_only = on').catch(() => {})
  const { rows: after } = await pool.query('SELECT pg_backend_pid() AS pid')

  expect(after[0].pid).not.toBe(before[0].pid)
})

test('a connection on which a write was refused is dropped', async () => {
  const pool = open()
  const client = await pool.connect()
  const { rows: before } = await client.query('SELECT pg_backend_pid() AS pid')
  await client.query('BEGIN')
  await client.query("SET LOCAL transaction_read_only = 'on'")
  await client.query('CREATE TEMP TABLE x ()').catch(() => {})
  await client.query("UPDATE portal.practice SET name = ''").catch(() => {})
  await client.query('ROLLBACK').catch(() => {})
  client.release()

  await expect
    .poll(async () => {
      const { rows } = await pool.query('SELECT pg_backend_pid() AS pid').catch(() => ({ rows: before }))
      return rows[0].pid
    })
    .not.toBe(before[0].pid)
})

test('connections that look idle go with the one that was lost in use', async () => {
  const pool = createPool({ connectionString: database.appUrl, max: 3, statementTimeoutMs: 100 })
  closing.push(() => pool.end())
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
  for (const client of clients) client.release()
  expect(pool.idleCount).toBe(3)

  // The server’s own limit is switched off: it says nothing, as one that went away does.
  const lost = await pool.connect()
  await lost.query('SET statement_timeout = 0')
  const failure = await lost.query('SELECT pg_sleep(3)').catch((error: Error) => error)
  lost.release(failure as Error)

  await expect.poll(() => pool.totalCount).toBe(0)
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})
