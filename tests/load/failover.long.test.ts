/**
 * A primary is lost under load and its standby promoted: nothing that was acknowledged is lost or doubled, and requests
 * are served again as soon as docs/operations/postgresql.md says, in each way in which processes find the new primary.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFailed, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { startServer } from '../../scripts/setup/server-process.mjs'
import { parseEnv } from '../../server/env.ts'
import { createServices } from '../../server/services.ts'
import { APP_ROLE } from '../../server/store/roles.ts'
import {
  createDebianPostgres,
  createStandby,
  type DebianPostgres,
  fillDebianPostgres,
} from '../support/debian-postgres.ts'
import { startHaproxy } from '../support/haproxy.ts'
import { isPgbouncerAtLeast, startPgbouncer } from '../support/pgbouncer.ts'
import { startPatientWriters } from './patient-writers.ts'

/** `inter` of HAProxy's checks: it may learn of the promotion so much later, and need two of them. */
const haproxyMs = 2 * 500
/** server_login_retry: PgBouncer waits so long before it tries a server again. */
const pgbouncerMs = 1_000
const backMs = 1_000
const primaryHost = '127.0.0.1'
const ownAddress = '127.0.0.2'

type Pair = { primary: DebianPostgres; standby: DebianPostgres; standbyHost: string }
type Running = Awaited<ReturnType<typeof startOn>>

/** @param standbyHost an address of its own: the standby has the port of the primary then */
async function createPair(standbyHost = primaryHost): Promise<Pair> {
  const primary = await createDebianPostgres()
  onTestFinished(primary.remove)
  await fillDebianPostgres(primary)
  const own = { port: primary.port, settings: [`listen_addresses = '${standbyHost}'`] }
  const standby = await createStandby(primary, standbyHost === primaryHost ? {} : own)
  onTestFinished(standby.remove)
  return { primary, standby, standbyHost }
}

const urlOf = (port: number) => `postgresql://${APP_ROLE}@${primaryHost}:${port}/sandpiper`
const bothHosts = ({ primary, standby, standbyHost }: Pair) =>
  `postgresql://${APP_ROLE}@${primaryHost}:${primary.port},${standbyHost}:${standby.port}/sandpiper?target_session_attrs=read-write`

/** @param directUrl of PostgreSQL itself, where `databaseUrl` leads to a pooler */
async function startOn(databaseUrl: string, directUrl = '') {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-failover-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const port = await findFreePort()
  const logFile = join(folder, 'server.log')
  const environment = {
    NODE_ENV: 'production',
    SANDPIPER_EMBEDDED: '1',
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    SMTP_URL: 'smtp://127.0.0.1:9',
    ROLE: 'all',
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: directUrl,
    DATABASE_MIGRATION_URL: '',
    DATA_DIR: folder,
    REDIS_URL: '',
    ENCRYPTION_KEYS: `load:${randomBytes(32).toString('base64')}`,
  }
  const services = createServices({
    env: parseEnv(environment),
    appUrl: directUrl || databaseUrl,
    log: pino({ level: 'silent' }),
  })
  onTestFinished(() => services.close())
  const server = await startServer({ environment, host: '127.0.0.1', port, logFile })
  onTestFinished(() => server.stop())
  onTestFailed(() => console.log(readFileSync(logFile, 'utf8').slice(-6_000)))
  return { server, services }
}

async function startBehindHaproxy({ primary, standby }: Pair) {
  const proxy = await startHaproxy([primary, standby])
  onTestFinished(proxy.close)
  return proxy
}

async function startBehindPgbouncer(
  pair: Pair,
  { host = primaryHost, port = pair.primary.port, options = '' } = {},
) {
  const bouncer = await startPgbouncer(
    { host, port, database: 'sandpiper' },
    { databaseOptions: options, settings: { admin_users: APP_ROLE } },
  )
  onTestFinished(bouncer.remove)
  onTestFailed(() => console.log(bouncer.log()))
  return { bouncer, running: await startOn(bouncer.url, bothHosts(pair)) }
}

type Loss = {
  /** What happens to the primary; it is killed, if not given. */
  lose?: () => Promise<void> | void
  /** How long there is none. */
  withoutMs?: number
  /** Just before the standby is promoted. */
  during?: () => Promise<void>
  /** What leads the processes to it. */
  afterPromotion?: () => Promise<void> | void
}

/** Writers go on through a loss; everything they were told is compared with what is there. */
async function failOver(
  { server, services }: Running,
  { primary, standby }: Pair,
  { lose = () => primary.signal('SIGKILL'), withoutMs = 5_000, during, afterPromotion }: Loss = {},
) {
  const writers = await startPatientWriters(services, { origin: server.origin, count: 6 })
  const { Patient: before = 0 } = await services.store.datasets.counts(writers.datasetId)
  await expect.poll(() => writers.acknowledged.size, { timeout: 60_000, interval: 50 }).toBeGreaterThan(30)

  await lose()
  await sleep(withoutMs)
  await during?.()
  await standby.promote()
  await afterPromotion?.()
  const promotedAt = performance.now()
  const acknowledgedBefore = writers.acknowledged.size
  await expect
    .poll(() => writers.acknowledged.size, { timeout: 60_000, interval: 50 })
    .toBeGreaterThan(acknowledgedBefore + 30)
  await writers.stop()
  // Every request sent later was served.
  const refusedMs = Math.max(0, writers.lastRefusedAt() - promotedAt)
  console.log(
    `${writers.acknowledged.size} patients acknowledged, statuses ${JSON.stringify([...writers.statuses])}, ` +
      `none refused that was sent ${Math.round(refusedMs)} ms after the promotion`,
  )

  expect(writers.faults).toEqual([])
  // These services have been idle: their first statements may still go to the primary that was lost.
  await expect
    .poll(async () => (await services.store.datasets.counts(writers.datasetId)).Patient, { timeout: 20_000 })
    .toBe(before + writers.acknowledged.size)
  expect(new Set(writers.acknowledged.values()).size).toBe(writers.acknowledged.size)
  // Jobs and logs have a database again, too.
  await expect
    .poll(async () => (await fetch(`${server.origin}/readyz`)).status, { timeout: 30_000, interval: 200 })
    .toBe(200)
  return { writers, refusedMs }
}

test('with both hosts in the URL', async () => {
  const pair = await createPair()

  const { refusedMs } = await failOver(await startOn(bothHosts(pair)), pair)

  expect(refusedMs).toBeLessThan(backMs)
})

test('with both hosts, a primary that hangs and says nothing at all', async () => {
  const pair = await createPair()

  const { refusedMs } = await failOver(await startOn(bothHosts(pair)), pair, {
    lose: () => pair.primary.signal('SIGSTOP'),
    // A statement under way is given up after 6 s; until then its request waits.
    withoutMs: 12_000,
  })

  expect(refusedMs).toBeLessThan(1_500)
})

test('behind HAProxy, which accepts and closes while there is no primary, and is not stormed meanwhile', async () => {
  const pair = await createPair()
  const proxy = await startBehindHaproxy(pair)
  const running = await startOn(urlOf(proxy.port))
  let tried = 0
  let page = { status: 0, retryAfter: false, text: '' }

  const { refusedMs } = await failOver(running, pair, {
    withoutMs: 10_000,
    async during() {
      tried = await proxy.connections()
      const response = await fetch(`${running.server.origin}/directory`)
      page = {
        status: response.status,
        retryAfter: response.headers.has('retry-after'),
        text: await response.text(),
      }
    },
  })

  console.log(`${tried} connections tried until the promotion`)
  expect(tried).toBeLessThan(600)
  expect(refusedMs).toBeLessThan(backMs + haproxyMs)
  expect([page.status, page.retryAfter]).toEqual([503, true])
  expect(page.text).toContain('Temporarily unavailable')
  // The new server is not filled with connections of those who tried.
  const { rows } = await running.services.pool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE backend_type = 'client backend'",
  )
  expect(rows[0]?.count).toBeLessThan(60)
})

test('a server whose only host is a standby does not start, and says so', async () => {
  const { standby } = await createPair()

  await expect(startOn(urlOf(standby.port))).rejects.toThrow(
    `DATABASE_URL: ${primaryHost}:${standby.port} is a standby, or takes no writes`,
  )
})

test('behind PgBouncer, once it is reloaded with the address of the standby', async () => {
  const pair = await createPair()
  const { bouncer, running } = await startBehindPgbouncer(pair)

  const { refusedMs } = await failOver(running, pair, {
    afterPromotion() {
      bouncer.setTargetPort(pair.standby.port)
      bouncer.reload()
    },
  })

  expect(refusedMs).toBeLessThan(backMs + pgbouncerMs)
})

test('behind PgBouncer that pauses: requests wait', async () => {
  const pair = await createPair()
  const { bouncer, running } = await startBehindPgbouncer(pair)

  const { writers } = await failOver(running, pair, {
    async lose() {
      await bouncer.command('PAUSE sandpiper')
      pair.primary.signal('SIGKILL')
    },
    withoutMs: 0,
    async afterPromotion() {
      bouncer.setTargetPort(pair.standby.port)
      await bouncer.command('RELOAD')
      await bouncer.command('RESUME sandpiper')
    },
  })

  // A busy machine may take longer than requests wait: they are repeated then.
  expect(writers.statuses.get(503) ?? 0).toBeLessThan(20)
})

test('behind PgBouncer in front of HAProxy, without a hand', async () => {
  const pair = await createPair()
  const { port } = await startBehindHaproxy(pair)
  const { running } = await startBehindPgbouncer(pair, { port })

  const { refusedMs } = await failOver(running, pair)

  expect(refusedMs).toBeLessThan(backMs + pgbouncerMs + haproxyMs)
})

test('from 1.24 on, behind PgBouncer with both hosts; before, it refuses the setting', async () => {
  const pair = await createPair(ownAddress)
  const target = { host: `${primaryHost},${ownAddress}`, options: 'load_balance_hosts=disable' }
  if (!isPgbouncerAtLeast('1.24')) {
    await expect(startBehindPgbouncer(pair, target)).rejects.toThrow(/load_balance_hosts/)
    return
  }
  const { running } = await startBehindPgbouncer(pair, target)

  const { refusedMs } = await failOver(running, pair)

  expect(refusedMs).toBeLessThan(backMs + pgbouncerMs)
})
