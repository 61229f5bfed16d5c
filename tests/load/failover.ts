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
import {
  createDebianPostgres,
  createStandby,
  type DebianPostgres,
  fillDebianPostgres,
} from '../support/debian-postgres.ts'
import { type PatientWriters, startPatientWriters } from './patient-writers.ts'

export type Pair = {
  primary: DebianPostgres
  standby: DebianPostgres
  remove: () => void
}

export async function createPair(): Promise<Pair> {
  const primary = await createDebianPostgres()
  await fillDebianPostgres(primary)
  const standby = await createStandby(primary)
  return {
    primary,
    standby,
    remove() {
      standby.remove()
      primary.remove()
    },
  }
}

export const newKeyring = () => `load:${randomBytes(32).toString('base64')}`

export async function startOn(databaseUrl: string, encryptionKeys: string = newKeyring()) {
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
    DATABASE_MIGRATION_URL: '',
    DATA_DIR: folder,
    REDIS_URL: '',
    ENCRYPTION_KEYS: encryptionKeys,
  }
  const services = createServices({
    env: parseEnv(environment),
    appUrl: environment.DATABASE_URL,
    log: pino({ level: 'silent' }),
  })
  const server = await startServer({ environment, host: '127.0.0.1', port, logFile })
  onTestFailed(() => console.log(readFileSync(logFile, 'utf8').slice(-6_000)))
  return {
    server,
    services,
    async close() {
      await server.stop()
      await services.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Loss = {
  /** What happens to the primary. */
  lose: () => void
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

  lose()
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
  const { Patient: after = 0 } = await services.store.datasets.counts(writers.datasetId)
  console.log(
    `${writers.acknowledged.size} patients acknowledged, statuses ${JSON.stringify([...writers.statuses])}, ` +
      `none refused that was sent ${Math.round(backAfterMs)} ms after the promotion`,
  )

  expect(writers.faults).toEqual([])
  expect(after - before).toBe(writers.acknowledged.size)
  expect(new Set(writers.acknowledged.values()).size).toBe(writers.acknowledged.size)
  return { writers, backAfterMs }
}

/** Jobs and logs have a database again, too. */
export async function expectReady({ server }: Awaited<ReturnType<typeof startOn>>): Promise<void> {
  await expect
    .poll(async () => (await fetch(`${server.origin}/readyz`)).status, { timeout: 30_000, interval: 200 })
    .toBe(200)
}
