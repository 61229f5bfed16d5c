/**
 * kill -9 while requests are recorded, at moments of chance, and of PostgreSQL in every fifth run: every response that a
 * caller received has its rows, once, and no row is there twice.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { APP_ROLE } from '../../scripts/postgres/cluster.mjs'
import { processIdentity } from '../../scripts/postgres/processes.mjs'
import { discardPostgres, type EmbeddedPostgres, startPostgres } from '../../scripts/postgres/start.mjs'
import { fhirTypeNumbers } from '../../server/contract/fhir/registry.ts'
import { rootDir } from '../../server/root-dir.ts'
import { migrate } from '../../server/store/migrations.ts'

const RUNS = 100
/** One of so many runs kills PostgreSQL, too. */
const POSTGRES_EVERY = 5
const CLIENTS = 12
/** Of a run, from the first response on. */
const WORK_MS = { least: 20, most: 250 }

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-kill-'))
const [keyId, practiceId] = [randomUUID(), randomUUID()]
let postgres: EmbeddedPostgres
let owner: pg.Pool

beforeAll(async () => {
  chmodSync(folder, 0o755)
  postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
  await migrate({ ownerUrl: postgres.ownerUrl, appRole: APP_ROLE })
  owner = new pg.Pool({ connectionString: postgres.ownerUrl, max: 1 })
  owner.on('error', () => {}) // killed on purpose
  await owner.query(`INSERT INTO clinical.live VALUES (1, $1, $2, 'infinity', 'version 0')`, [
    keyId,
    practiceId,
  ])
  await owner.query(
    `INSERT INTO clinical.resource (dataset_id, type, id, last_updated, version, index_version, content)
     VALUES (1, $1, 'wren-testwell', now(), 1, 1, '{}')`,
    [fhirTypeNumbers.Patient],
  )
})

afterAll(async () => {
  await owner?.end()
  await discardPostgres(join(folder, 'postgres'))
  rmSync(folder, { recursive: true, force: true })
})

type Responses = { served: string[]; refused: string[]; unavailable: number }

test(`in ${RUNS} runs no response that left is without its row, and no row is there twice`, {
  timeout: 1_200_000,
}, async () => {
  const all: Responses = { served: [], refused: [], unavailable: 0 }
  let postgresKills = 0

  for (let run = 0; run < RUNS; run++) {
    const kill = run % POSTGRES_EVERY === 0
    if (kill) postgresKills++
    await runOnce(all, kill)
  }

  const rows = await countRows('log.activity')
  const accesses = await countRows('log.phi_audit')
  console.log(
    `${RUNS} kills of the process, ${postgresKills} of PostgreSQL: ${all.served.length} served, ` +
      `${all.refused.length} refused, ${all.unavailable} answered with 503; ${rows.size} rows of activity, ` +
      `${accesses.size} of access, ${accesses.size - all.served.length} of them for responses that were cut off`,
  )
  expect(all.served.length).toBeGreaterThan(RUNS * CLIENTS)
  expect(all.served.filter((id) => rows.get(id) !== 1 || accesses.get(id) !== 1)).toEqual([])
  expect([...rows.values(), ...accesses.values()].filter((times) => times !== 1)).toEqual([])
  await expectDaysToAgree()
})

/** Callers ask until the process is killed. */
async function runOnce(all: Responses, killsPostgres: boolean): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(rootDir, 'tests/load/recorder-process.ts')],
    {
      cwd: rootDir,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LOG_DATABASE: postgres.appUrl, KEY_ID: keyId, PRACTICE_ID: practiceId },
    },
  )
  const exited = once(child, 'exit')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const agent = new http.Agent({ keepAlive: true, maxSockets: CLIENTS })
  const working = { over: false }
  const before = all.served.length
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let count = 0; !working.over; count++)
      await ask(all, agent, Number(line), ['/refused', '/', '/read', '/read'][(client + count) % 4] ?? '/')
  })
  while (all.served.length === before) await sleep(1)
  if (killsPostgres) {
    await sleep(chance())
    await killPostgres()
  }
  await sleep(chance())
  child.kill('SIGKILL')
  const [, signal] = await exited
  working.over = true
  await Promise.all(clients)
  agent.destroy()
  expect(signal).toBe('SIGKILL')
}

const chance = () => WORK_MS.least + Math.random() * (WORK_MS.most - WORK_MS.least)

/** What the process answers is noted as soon as its headers are here: they may not leave before the row either. */
function ask(all: Responses, agent: http.Agent, port: number, path: string): Promise<void> {
  return new Promise((resolve) => {
    const request = http.get({ host: '127.0.0.1', port, path, agent }, (response) => {
      const id = String(response.headers['x-correlation-id'])
      if (response.statusCode === 200) all.served.push(id)
      else if (response.statusCode === 429) all.refused.push(id)
      else all.unavailable++
      // Until PostgreSQL is back, every request is refused at once.
      response.on('close', () => setTimeout(resolve, response.statusCode === 503 ? 5 : 0))
      response.on('error', () => {})
      response.resume()
    })
    request.on('error', () => resolve())
  })
}

async function killPostgres(): Promise<void> {
  const pid = Number.parseInt(readFileSync(join(postgres.cluster, 'postmaster.pid'), 'utf8'), 10)
  process.kill(pid, 'SIGKILL')
  while (processIdentity(pid) !== null) await sleep(5)
  await expect.poll(postgres.revive, { timeout: 60_000, interval: 50 }).toBe(true)
}

/** How often each correlation id is there. */
async function countRows(table: 'log.activity' | 'log.phi_audit'): Promise<Map<string, number>> {
  const { rows } = await owner.query<{ id: string; times: number }>(
    `SELECT correlation_id AS id, count(*)::int AS times FROM ${table} GROUP BY 1`,
  )
  return new Map(rows.map(({ id, times }) => [id, times]))
}

/** What the key's days count is what its rows say. */
async function expectDaysToAgree(): Promise<void> {
  const { rows: counted } = await owner.query(
    'SELECT sum(served)::int AS served, sum(refused)::int AS refused FROM log.activity_day WHERE key_id = $1',
    [keyId],
  )
  const { rows: written } = await owner.query(
    `SELECT sum(count) FILTER (WHERE refusal IS NULL)::int AS served,
            sum(count) FILTER (WHERE refusal IS NOT NULL)::int AS refused FROM log.activity WHERE key_id = $1`,
    [keyId],
  )
  expect(counted).toEqual(written)
}
