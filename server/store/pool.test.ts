import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { testDatabase } from '../../tests/support/database.ts'
import { asProblem } from '../contract/http/problems.ts'
import { createPrismaAdapter } from './database-client.ts'
import { noLiveness } from './liveness.ts'
import { createPool } from './pool.ts'
import { createStatements } from './statements.ts'
import { createStore } from './store.ts'

const closing: (() => Promise<void>)[] = []

const database = await testDatabase('schema')

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function open(options: { max: number; connectionString?: string; statementTimeoutMs?: number }) {
  const logged: string[] = []
  const log = { error: (_: object, message: string) => void logged.push(message) }
  const pool = createPool({ connectionString: database.appUrl, log, ...options })
  closing.push(() => pool.end())
  return { pool, logged, store: createStore({ pool, clock: () => new Date(0) }) }
}

test('waiting over a second for a connection is unavailable, with a time to retry', async () => {
  const { pool, store } = open({ max: 1 })
  const taken = await pool.connect()

  await expect(store.isAlive(1, noLiveness)).rejects.toMatchObject({
    kind: 'unavailable',
    retryAfterSeconds: 1,
  })

  taken.release()
  expect(await store.isAlive(1, noLiveness)).toBe(true)
})

test('a statement over its limit is unavailable and frees its connection', async () => {
  const { pool } = open({ max: 1, statementTimeoutMs: 50 })
  const { run } = createStatements(pool)

  const slow = run(1, { name: 'slow', text: 'SELECT pg_sleep(5)', values: [] })

  await expect(slow).rejects.toMatchObject({ kind: 'unavailable', detail: 'statement timeout' })
  expect((await run(1, { name: 'quick', text: 'SELECT 1 AS one', values: [] })).rows).toEqual([{ one: 1 }])
})

test('connections cut by the server are logged, not fatal, and the next call is served', async () => {
  const { pool, store, logged } = open({ max: 2 })
  const { rows } = await pool.query('SELECT pg_backend_pid() AS pid')
  const lost = new Promise((resolve) => pool.once('error', resolve))

  expect(await database.cut('pid = $1', rows[0].pid)).toBe(1)
  await lost

  expect(logged).toEqual(['database connection lost'])
  expect(await store.isAlive(1, noLiveness)).toBe(true)
})

test('a server that shuts down while it accepts a connection fails the call, not the process', async () => {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.from(`${type}0000`)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const authenticated = message('R', Buffer.alloc(4))
  const ready = message('Z', Buffer.from('I'))
  const stops = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'))
  const server = createServer((socket) => {
    // In one write, so that the driver reads all of it before it reports the connection.
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, stops])))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(async () => void server.close())
  const { port } = server.address() as AddressInfo
  const { store } = open({ max: 1, connectionString: `postgresql://a:b@127.0.0.1:${port}/c?sslmode=disable` })

  await expect(store.isAlive(1, noLiveness)).rejects.toMatchObject({ kind: 'unavailable' })
})

test('Prisma’s words for no connection and for a statement over its limit are understood, its others passed on', async () => {
  const prismaOn = (options: Parameters<typeof open>[0]) => {
    const prisma = new PrismaClient({ adapter: createPrismaAdapter(open(options).pool) })
    closing.unshift(() => prisma.$disconnect())
    return prisma
  }
  const thrownBy = async (work: Promise<unknown>) => asProblem(await work.catch((error: unknown) => error))
  const nowhere = prismaOn({ max: 1, connectionString: 'postgresql://nobody@127.0.0.1:1/none' })
  const hasty = prismaOn({ max: 1, statementTimeoutMs: 50 })

  expect(await thrownBy(nowhere.account.count())).toMatchObject({ kind: 'unavailable' })
  expect(await thrownBy(nowhere.$transaction((tx) => tx.account.count()))).toMatchObject({
    kind: 'unavailable',
  })
  expect(await thrownBy(hasty.$queryRaw`SELECT pg_sleep(5)::text`)).toMatchObject({
    kind: 'unavailable',
    detail: 'statement timeout',
  })
  expect(await thrownBy(hasty.$queryRaw`SELECT 1 / 0`)).not.toHaveProperty('kind')
})
