/**
 * Two servers and a worker share ten connections of PgBouncer while patients are written and read, people sign in,
 * documents are written and a practice is exported. Then PgBouncer is killed ten times.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { startServer } from '../../scripts/setup/server-process.mjs'
import { parseEnv } from '../../server/env.ts'
import { createServices, type Services } from '../../server/services.ts'
import { connectionBudget } from '../../server/start/connection-budget.ts'
import { APP_ROLE } from '../../server/store/roles.ts'
import {
  createDebianPostgres,
  type DebianPostgres,
  fillDebianPostgres,
  ownerRole,
} from '../support/debian-postgres.ts'
import { type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { checkExports, runExports } from './export-runs.ts'
import { newKeyring } from './failover.ts'
import { type PatientWriters, startPatientWriters } from './patient-writers.ts'
import { type Readers, startReaders } from './portal-readers.ts'

const poolSize = 10
const kills = 10
const calmMs = 15_000
const betweenKillsMs = 3_000
/** A request that is sent later after the restart is served. */
const backMs = 1_500

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-pgbouncer-'))
const logFile = join(folder, 'server.log')
let postgres: DebianPostgres
let bouncer: Pgbouncer
let environment: Record<string, string>
let servers: Awaited<ReturnType<typeof startServer>>[]
let services: Services
let owner: pg.Pool

beforeAll(async () => {
  postgres = await createDebianPostgres()
  await fillDebianPostgres(postgres)
  bouncer = await startPgbouncer(
    { host: '127.0.0.1', port: postgres.port, database: 'sandpiper' },
    { settings: { default_pool_size: String(poolSize) } },
  )
  const port = await findFreePort()
  const direct = postgres.url(APP_ROLE)
  environment = {
    NODE_ENV: 'production',
    SANDPIPER_EMBEDDED: '1',
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    SMTP_URL: 'smtp://127.0.0.1:9',
    DATABASE_URL: bouncer.url,
    DATABASE_DIRECT_URL: direct,
    DATABASE_MIGRATION_URL: '',
    DATA_DIR: folder,
    REDIS_URL: '',
    TRUSTED_PROXY_CIDRS: '127.0.0.1/32',
    ENCRYPTION_KEYS: newKeyring(),
  }
  services = createServices({
    env: parseEnv(environment),
    appUrl: `${direct}?application_name=test`,
    log: pino({ level: 'silent' }),
  })
  owner = new pg.Pool({ connectionString: postgres.url(ownerRole), max: 2 })
  const start = (role: string, on: number) =>
    startServer({ environment: { ...environment, ROLE: role }, host: '127.0.0.1', port: on, logFile })
  servers = [await start('web', port)]
  servers.push(await start('web', await findFreePort()), await start('worker', await findFreePort()))
})

afterAll(async () => {
  for (const server of servers ?? []) await server.stop()
  await services?.close()
  await owner?.end()
  await bouncer?.remove()
  postgres?.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('ten connections are enough, and a restart of PgBouncer is over within a second', {
  timeout: 900_000,
}, async () => {
  onTestFailed(() => console.log(readFileSync(logFile, 'utf8').slice(-8_000), bouncer.log()))
  const origins = servers.slice(0, 2).map(({ origin }) => origin)
  const writers: PatientWriters[] = []
  for (const origin of origins) writers.push(await startPatientWriters(services, { origin, count: 4 }))
  const readers = await startReaders(services, owner, { origins, portal: environment.PUBLIC_ORIGIN ?? '' })
  const work = { over: false }
  const exports = runExports(services, origins[0] as string, work)
  const connections = watchConnections()

  await sleep(calmMs)
  const inCalm = connections.most()
  const calm = countServed(writers, readers)
  const backAfterMs: number[] = []
  for (let kill = 0; kill < kills; kill++) backAfterMs.push(await killAndStart(writers, readers))
  await sleep(betweenKillsMs)
  work.over = true
  for (const each of writers) await each.stop()
  const faults = await readers.stop()
  const finished = await exports
  const { lasting } = await connections.stop()

  expect(faults).toEqual([])
  await checkPatients(writers)
  checkExports(finished)
  await readers.checkSessions()
  // The machine may be busy with other things, too.
  expect(calm.refused).toBeLessThan(calm.served / 100)
  expect(Math.max(...backAfterMs)).toBeLessThan(backMs)
  expect(inCalm.pooled).toBeGreaterThan(2)
  expect(inCalm.pooled).toBeLessThanOrEqual(poolSize)
  const budget = (ROLE: 'web' | 'worker') => connectionBudget({ ROLE, DATABASE_POOL: 16 }).lasting
  expect(lasting).toBeGreaterThan(4)
  expect(lasting).toBeLessThanOrEqual(2 * budget('web') + budget('worker'))
  console.log(
    `${writers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)} patients, statuses ` +
      `${JSON.stringify(writers.map(({ statuses }) => [...statuses]))}; ${JSON.stringify(readers.answers)}; ` +
      `${finished.length} exports; in calm ${calm.served} served and ${calm.refused} refused; back after ${backAfterMs.map(Math.round).join(', ')} ms; at most ` +
      `${inCalm.pooled} connections of PgBouncer and ${lasting} others`,
  )
})

function countServed(writers: readonly PatientWriters[], { answers }: Readers) {
  const counts = [
    ...writers.flatMap(({ statuses }) =>
      [...statuses].map(([status, count]) => [status < 400, count] as const),
    ),
    ...Object.entries(answers).map(([answer, count]) => [/ (200|302)$/.test(answer), count] as const),
  ]
  const sum = (wanted: boolean) =>
    counts.reduce((total, [isServed, count]) => total + (isServed === wanted ? count : 0), 0)
  return { served: sum(true), refused: sum(false) }
}

async function checkPatients(writers: readonly PatientWriters[]): Promise<void> {
  for (const { acknowledged, datasetId, faults, patientsBefore } of writers) {
    const { Patient: after = 0 } = await services.store.datasets.counts(datasetId)
    expect(faults).toEqual([])
    expect(acknowledged.size).toBeGreaterThan(100)
    expect(new Set(acknowledged.values()).size).toBe(acknowledged.size)
    expect(after - patientsBefore).toBe(acknowledged.size)
  }
}

/** @returns how long after its start a request was sent that was refused */
async function killAndStart(writers: readonly PatientWriters[], readers: Readers): Promise<number> {
  await sleep(betweenKillsMs)
  await bouncer.kill()
  await sleep(500)
  await bouncer.start()
  const startedAt = performance.now()
  await sleep(betweenKillsMs)
  const refusedAt = [...writers.map(({ lastRefusedAt }) => lastRefusedAt()), readers.lastRefusedAt()]
  return Math.max(0, Math.max(...refusedAt) - startedAt)
}

/** The most connections that were open at once, of the servers and the worker. */
function watchConnections() {
  const most = { pooled: 0, lasting: 0 }
  let over = false
  async function watch(client: pg.Client): Promise<void> {
    while (!over) {
      const { rows } = await client.query<{ pooled: number; lasting: number }>(
        `SELECT count(*) FILTER (WHERE application_name IN ('', 'sandpiper', 'sandpiper-ccd'))::int AS pooled,
           count(*) FILTER (WHERE application_name LIKE 'sandpiper%' AND application_name NOT IN ('sandpiper', 'sandpiper-ccd'))::int AS lasting
         FROM pg_stat_activity WHERE usename = $1 AND client_port IS NOT NULL`,
        [APP_ROLE],
      )
      most.pooled = Math.max(most.pooled, rows[0]?.pooled ?? 0)
      most.lasting = Math.max(most.lasting, rows[0]?.lasting ?? 0)
      await sleep(200)
    }
  }
  // Others see no more of a connection than that it is there.
  const watching = postgres.asAdmin(watch)
  return {
    most: () => ({ ...most }),
    async stop() {
      over = true
      await watching
      return most
    },
  }
}
