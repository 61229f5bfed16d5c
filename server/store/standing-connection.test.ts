import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { type DatabaseGate, openDatabaseGate } from '../../tests/support/database-gate.ts'
import { createStandingConnection, type StandingConnection } from './standing-connection.ts'

let gate: DatabaseGate
const open: StandingConnection[] = []

const database = await testDatabase('schema')

beforeEach(async () => {
  gate = await openDatabaseGate(database.appUrl)
})

afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()))
  await gate.close()
})

function connect(prepare?: Parameters<typeof createStandingConnection>[0]['prepare']): StandingConnection {
  const connection = createStandingConnection({
    connectionString: gate.url,
    applicationName: 'sandpiper standing test',
    log: { warn: () => {} },
    ...(prepare && { prepare }),
  })
  open.push(connection)
  return connection
}

test('nothing connects before it is asked for, and then there is one connection', async () => {
  const connection = connect()
  expect(gate.takeCount()).toBe(0)

  const [first, second] = await Promise.all([connection.get(), connection.get()])

  expect(first).not.toBeNull()
  expect(second).toBe(first)
  expect(gate.takeCount()).toBe(1)
})

test('behind a proxy that takes connections and closes them, attempts stay few, and the next one after it succeeds', async () => {
  const connections = Array.from({ length: 3 }, () => connect())
  await Promise.all(connections.map((connection) => connection.opened()))
  gate.takeCount()

  await gate.refuse()
  await sleep(6_000)
  const attempts = gate.takeCount()
  expect(await connections[0]?.get()).toBeNull()
  await gate.open()
  await Promise.all(connections.map((connection) => connection.opened()))

  // 100, 200, 400, 800, 1600 and 2000 ms at most, half of it at least.
  expect(attempts).toBeGreaterThanOrEqual(3 * 4)
  expect(attempts).toBeLessThanOrEqual(3 * 10)
  expect(gate.takeCount()).toBe(3)
})

test('a connection that is prepared anew each time is open only when that has ended', async () => {
  let allow = () => {}
  let prepared = 0
  const connection = connect(async () => {
    prepared += 1
    await new Promise<void>((resolve) => {
      allow = resolve
    })
  })
  const opened = connection.opened()
  await expect.poll(() => prepared).toBe(1)
  expect(connection.isOpen()).toBe(false)
  allow()
  await opened

  expect(await database.cut("application_name = 'sandpiper standing test'")).toBe(1)
  await expect.poll(() => prepared).toBe(2)
  expect(connection.isOpen()).toBe(false)
  allow()
  await connection.opened()
  expect(connection.isOpen()).toBe(true)
})

test('it closes while it is open, while it is opened, and while it waits for the next attempt', async () => {
  const ready = connect()
  await ready.opened()
  const preparing = connect(() => new Promise(() => {}))
  void preparing.opened()
  await sleep(200)
  await ready.close()
  await preparing.close()

  await gate.refuse()
  const pausing = connect()
  expect(await pausing.get()).toBeNull()
  await pausing.close()
  gate.takeCount()
  await sleep(3_000)

  expect(gate.takeCount()).toBe(0)
  expect(await pausing.get()).toBeNull()
  const left = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'sandpiper standing test'"
  await expect.poll(async () => (await database.ownerPool.query(left)).rowCount).toBe(0)
})
