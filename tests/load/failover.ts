/** A server on a primary with a synchronous standby, and a ledger of what was acknowledged while the standby is promoted. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFailed } from 'vitest'
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
import { type PatientWriters, startPatientWriters } from './patient-writers.ts'

const primaryHost = '127.0.0.1'

export type Pair = {
  primary: DebianPostgres
  standby: DebianPostgres
  standbyHost: string
  remove: () => void
}

/** @param standbyHost an address of its own: the standby has the port of the primary then */
export async function createPair(standbyHost = primaryHost): Promise<Pair> {
  const primary = await createDebianPostgres()
  await fillDebianPostgres(primary)
  const own = { port: primary.port, settings: [`listen_addresses = '${standbyHost}'`] }
  const standby = await createStandby(primary, standbyHost === primaryHost ? {} : own)
  return {
    primary,
    standby,
    standbyHost,
    remove() {
      standby.remove()
      primary.remove()
    },
  }
}

export const bothHosts = ({ primary, standby, standbyHost }: Pair) =>
  `postgresql://${APP_ROLE}@${primaryHost}:${primary.port},${standbyHost}:${standby.port}/sandpiper?target_session_attrs=read-write`

export const newKeyring = () => `load:${randomBytes(32).toString('base64')}`

type StartOptions = {
  /** Of PostgreSQL itself, where `databaseUrl` leads to a pooler. */
  directUrl?: string
  encryptionKeys?: string
}

export async function startOn(
  databaseUrl: string,
  { directUrl = '', encryptionKeys = newKeyring() }: StartOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-failover-'))
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
    ENCRYPTION_KEYS: encryptionKeys,
  }
  const services = createServices({
    env: parseEnv(environment),
    appUrl: directUrl || databaseUrl,
    log: pino({ level: 'silent' }),
  })
  async function remove(): Promise<void> {
    await services.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const server = await startServer({ environment, host: '127.0.0.1', port, logFile }).catch(async (error) => {
    await remove()
    throw error
  })
  let kept: string | null = null
  const readLog = () => readFileSync(logFile, 'utf8').slice(-6_000)
  // When this is called, the folder may be gone already.
  onTestFailed(() => console.log(kept ?? readLog()))
  return {
    server,
    services,
    async close() {
      await server.stop()
      kept = readLog()
      await remove()
    },
  }
}

type Loss = {
  /** What happens to the primary. */
  lose: () => Promise<void> | void
  /** How long there is none. */
  withoutMs: number
  /** Just before the standby is promoted. */
  during?: () => Promise<void>
  promote: () => Promise<void>
}

/** Writers go on through a loss; everything they were told is compared with what is there. */
export async function failOver(
  { server, services }: Awaited<ReturnType<typeof startOn>>,
  { lose, withoutMs, during, promote }: Loss,
): Promise<{ writers: PatientWriters; backAfterMs: number }> {
  const writers = await startPatientWriters(services, { origin: server.origin, count: 6 })
  const { Patient: before = 0 } = await services.store.datasets.counts(writers.datasetId)
  await expect.poll(() => writers.acknowledged.size, { timeout: 60_000, interval: 50 }).toBeGreaterThan(30)

  await lose()
  await sleep(withoutMs)
  await during?.()
  await promote()
  const promotedAt = performance.now()
  const acknowledgedBefore = writers.acknowledged.size
  await expect
    .poll(() => writers.acknowledged.size, { timeout: 60_000, interval: 50 })
    .toBeGreaterThan(acknowledgedBefore + 30)
  await writers.stop()
  // Every request sent later was served.
  const backAfterMs = Math.max(0, writers.lastRefusedAt() - promotedAt)
  console.log(
    `${writers.acknowledged.size} patients acknowledged, statuses ${JSON.stringify([...writers.statuses])}, ` +
      `none refused that was sent ${Math.round(backAfterMs)} ms after the promotion`,
  )

  expect(writers.faults).toEqual([])
  // These services have been idle: their first statements may still go to the primary that was lost.
  await expect
    .poll(async () => (await services.store.datasets.counts(writers.datasetId)).Patient, { timeout: 20_000 })
    .toBe(before + writers.acknowledged.size)
  expect(new Set(writers.acknowledged.values()).size).toBe(writers.acknowledged.size)
  return { writers, backAfterMs }
}

/** Jobs and logs have a database again, too. */
export async function expectReady({ server }: Awaited<ReturnType<typeof startOn>>): Promise<void> {
  await expect
    .poll(async () => (await fetch(`${server.origin}/readyz`)).status, { timeout: 30_000, interval: 200 })
    .toBe(200)
}
