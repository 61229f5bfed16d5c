/** A database that dies under load while a proxy goes on accepting connections, and a standby that takes its place. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { chooseAccount, spawnIds } from '../../scripts/postgres/account.mjs'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { startServer } from '../../scripts/setup/server-process.mjs'
import { parseEnv } from '../../server/env.ts'
import { createServices, type Services } from '../../server/services.ts'
import { migrate } from '../../server/store/migrations.ts'
import { APP_ROLE } from '../../server/store/roles.ts'
import { loadCast } from '../support/cast.ts'
import { startPatientWriters } from './patient-writers.ts'

const WITHOUT_DATABASE_MS = 10_000
const account = chooseAccount(null)
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-failover-'))
const logFile = join(folder, 'server.log')

let programs: string
let primaryPort: number
let standbyPort: number
let proxy: Awaited<ReturnType<typeof startProxy>>
let server: Awaited<ReturnType<typeof startServer>>
let services: Services

beforeAll(async () => {
  programs = findPrograms()
  chmodSync(folder, 0o755)
  if (account) chownSync(folder, account.uid, account.gid)
  primaryPort = await findFreePort()
  const ownerUrl = `postgresql://sandpiper_owner@127.0.0.1:${primaryPort}/sandpiper`
  await startPrimary(ownerUrl)
  standbyPort = await findFreePort()
  await startStandby()
  proxy = await startProxy(primaryPort)

  const port = await findFreePort()
  const environment = {
    NODE_ENV: 'production',
    SANDPIPER_EMBEDDED: '1',
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    SMTP_URL: 'smtp://127.0.0.1:9',
    ROLE: 'all',
    DATABASE_URL: `postgresql://${APP_ROLE}@127.0.0.1:${proxy.port}/sandpiper`,
    DATABASE_MIGRATION_URL: '',
    DATA_DIR: folder,
    REDIS_URL: '',
    ENCRYPTION_KEYS: `load:${randomBytes(32).toString('base64')}`,
  }
  services = createServices({
    env: parseEnv(environment),
    appUrl: environment.DATABASE_URL,
    log: pino({ level: 'silent' }),
  })
  server = await startServer({ environment, host: '127.0.0.1', port, logFile })
})

afterAll(async () => {
  await server?.stop()
  await services?.close()
  await proxy?.close()
  for (const name of ['primary', 'standby'])
    if (existsSync(join(folder, name, 'postmaster.pid')))
      runProgram('pg_ctl', ['-D', join(folder, name), '-m', 'immediate', 'stop'], { mayFail: true })
  rmSync(folder, { recursive: true, force: true })
})

test('writes go on after a standby is promoted: none that was acknowledged is lost or doubled, and nobody storms the proxy', async () => {
  onTestFailed(() => console.log(readFileSync(logFile, 'utf8').slice(-6_000)))
  const writers = await startPatientWriters(services, { origin: server.origin, count: 6 })
  const { Patient: before = 0 } = await services.store.datasets.counts(writers.datasetId)
  await expect.poll(() => writers.acknowledged.size, { timeout: 60_000, interval: 50 }).toBeGreaterThan(30)

  killPrimary()
  proxy.target(null)
  proxy.takeAttempts()
  await sleep(WITHOUT_DATABASE_MS)
  const attempts = proxy.takeAttempts()
  const pageBegan = performance.now()
  const page = await fetch(`${server.origin}/directory`)
  const pageText = await page.text()
  const pageMs = performance.now() - pageBegan
  runProgram('pg_ctl', ['-D', join(folder, 'standby'), '-w', 'promote'])
  proxy.target(standbyPort)
  const promotedAt = performance.now()
  const acknowledgedBefore = writers.acknowledged.size
  await expect
    .poll(() => writers.acknowledged.size, { timeout: 60_000, interval: 20 })
    .toBeGreaterThan(acknowledgedBefore)
  const backAfterMs = writers.lastAt() - promotedAt
  await expect
    .poll(() => writers.acknowledged.size, { timeout: 60_000, interval: 50 })
    .toBeGreaterThan(acknowledgedBefore + 30)
  await writers.stop()
  const { Patient: after = 0 } = await services.store.datasets.counts(writers.datasetId)
  const standing = [...attempts].filter(([name]) => /worker lock|recorder/.test(name))
  console.log(
    `${writers.acknowledged.size} patients acknowledged, statuses ${JSON.stringify([...writers.statuses])}, ` +
      `attempts while the database was away ${JSON.stringify([...attempts])}, back after ${Math.round(backAfterMs)} ms`,
  )

  expect(writers.faults).toEqual([])
  expect(after - before).toBe(writers.acknowledged.size)
  expect(new Set(writers.acknowledged.values()).size).toBe(writers.acknowledged.size)
  // Three connections, each tried after pauses of 50 ms to 2 s.
  for (const [name, count] of standing) expect(count, name).toBeLessThanOrEqual(40)
  expect(standing.length).toBeGreaterThan(0)
  expect(attempts.get('sandpiper worker') ?? 0).toBeLessThanOrEqual(150)
  expect(backAfterMs).toBeLessThan(10_000)
  expect([page.status, page.headers.has('retry-after')]).toEqual([503, true])
  expect(pageText).toContain('Temporarily unavailable')
  expect(pageMs).toBeLessThan(10_000)
  // The new server is not filled with connections of those who tried.
  const { rows } = await services.pool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE backend_type = 'client backend'",
  )
  expect(rows[0]?.count).toBeLessThan(60)
  await expect
    .poll(async () => (await fetch(`${server.origin}/readyz`)).status, { timeout: 30_000, interval: 200 })
    .toBe(200)
})

function findPrograms(): string {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const places = [process.env.PG_BIN ?? '', ...versions.map((version) => join(debian, version, 'bin'))]
  const found = places.find((place) =>
    ['initdb', 'pg_basebackup', 'pg_ctl'].every((program) => existsSync(join(place, program))),
  )
  if (found) return found
  throw new Error(
    'This test promotes a standby and needs initdb, pg_basebackup and pg_ctl. Install PostgreSQL 15 or newer ' +
      '(Debian: apt-get install postgresql-15), or set PG_BIN to the folder of its programs.',
  )
}

function runProgram(program: string, parameters: string[], { mayFail = false } = {}): void {
  try {
    execFileSync(join(programs, program), parameters, { cwd: folder, stdio: 'ignore', ...spawnIds(account) })
  } catch (error) {
    if (!mayFail) throw error
  }
}

function start(name: string, port: number, more: readonly string[]): void {
  const settings = [
    `port = ${port}`,
    `listen_addresses = '127.0.0.1'`,
    `unix_socket_directories = '${folder}'`,
    'fsync = off',
    'jit = off',
    ...more,
  ]
  appendFileSync(join(folder, name, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
  runProgram('pg_ctl', ['-D', join(folder, name), '-l', join(folder, `${name}.log`), '-w', 'start'])
}

async function startPrimary(ownerUrl: string): Promise<void> {
  runProgram('initdb', [
    '-D',
    join(folder, 'primary'),
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  ])
  start('primary', primaryPort, ['wal_level = replica', 'max_wal_senders = 4'])
  await asAdmin(async (client) => {
    await client.query('CREATE ROLE sandpiper_owner LOGIN')
    await client.query(`CREATE ROLE ${APP_ROLE} LOGIN`)
    await client.query('CREATE DATABASE sandpiper OWNER sandpiper_owner TEMPLATE template0')
  })
  const appUrl = ownerUrl.replace('sandpiper_owner@', `${APP_ROLE}@`)
  await migrate({ ownerUrl, appRole: APP_ROLE })
  await loadCast({ ownerUrl, appUrl, appRole: APP_ROLE })
}

/** A commit is acknowledged when the standby has it, too. */
async function startStandby(): Promise<void> {
  const place = ['-h', '127.0.0.1', '-p', String(primaryPort), '-U', 'postgres']
  runProgram('pg_basebackup', [...place, '-D', join(folder, 'standby'), '-R', '-X', 'stream', '-c', 'fast'])
  const source = `host=127.0.0.1 port=${primaryPort} user=postgres application_name=standby`
  start('standby', standbyPort, [`primary_conninfo = '${source}'`])
  await asAdmin(async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
    await client.query('SELECT pg_reload_conf()')
    const synchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
    while ((await client.query(synchronous)).rowCount !== 1) await sleep(100)
  })
}

async function asAdmin(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({
    connectionString: `postgresql://postgres@127.0.0.1:${primaryPort}/postgres`,
  })
  await client.connect()
  await work(client).finally(() => client.end())
}

function killPrimary(): void {
  const pid = Number.parseInt(readFileSync(join(folder, 'primary', 'postmaster.pid'), 'utf8'), 10)
  process.kill(pid, 'SIGKILL')
}

/** As many proxies do, it accepts every connection and closes it when there is nobody behind. */
async function startProxy(firstTarget: number) {
  let target: number | null = firstTarget
  let attempts = new Map<string, number>()
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}) // the other side went away
    socket.on('close', () => sockets.delete(socket))
  }
  const listener: Server = createServer((near) => {
    keep(near)
    near.once('data', (first) => {
      const name = /application_name\0([^\0]*)/.exec(first.toString('latin1'))?.[1] ?? ''
      attempts.set(name, (attempts.get(name) ?? 0) + 1)
      if (target === null) {
        near.end()
        return
      }
      const far = connect(target, '127.0.0.1')
      keep(far)
      far.write(first)
      near.pipe(far).pipe(near)
      near.on('close', () => far.destroy())
      far.on('close', () => near.end())
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: (listener.address() as { port: number }).port,
    target(next: number | null) {
      target = next
    },
    /** Connections since the last call, by the name of the application. */
    takeAttempts() {
      const taken = attempts
      attempts = new Map()
      return taken
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
