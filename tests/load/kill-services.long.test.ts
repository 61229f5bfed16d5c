/**
 * A worker of its own, Redis, the mail server and PostgreSQL are killed in turn while records, keys, emails and exports
 * are made. Nothing that was acknowledged is lost, and nothing is there twice.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { processIdentity } from '../../scripts/postgres/processes.mjs'
import { APP_ROLE } from '../../scripts/postgres/roles.mjs'
import { discardPostgres, type EmbeddedPostgres, startPostgres } from '../../scripts/postgres/start.mjs'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { startServer } from '../../scripts/setup/server-process.mjs'
import { createAgreementTexts } from '../../server/domain/agreements/agreement-texts.ts'
import { parseEnv } from '../../server/env.ts'
import { createServices, type Services } from '../../server/services.ts'
import { migrate } from '../../server/store/migrations.ts'
import { loadCast } from '../support/cast.ts'
import { type MailReceiver, startMailReceiver } from '../support/mail-receiver.ts'
import { createTestRedis, type TestRedis } from '../support/redis.ts'
import { checkExports, runExports } from './export-runs.ts'
import { type Developer, sendKeyForm, settle } from './key-form.ts'
import { type PatientWriters, startPatientWriters } from './patient-writers.ts'

const ROUNDS = 2
/** Between two kills. */
const WORK_MS = 3_000
/** Emails that one worker sends at the same time. */
const EMAILS_AT_ONCE = 4

type Running = Awaited<ReturnType<typeof startServer>>

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-kill-'))
const logFile = join(folder, 'server.log')
let postgres: EmbeddedPostgres
let redis: TestRedis
let mails: MailReceiver
let environment: Record<string, string>
let web: Running
let worker: Running
let workerPort: number
let services: Services
let owner: pg.Pool
let developers: Developer[]

beforeAll(async () => {
  chmodSync(folder, 0o755)
  postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
  const { ownerUrl, appUrl } = postgres
  await migrate({ ownerUrl, appRole: APP_ROLE })
  await loadCast({ ownerUrl, appUrl, appRole: APP_ROLE })
  redis = createTestRedis(await findFreePort())
  mails = await startMailReceiver()
  const port = await findFreePort()
  workerPort = await findFreePort()
  environment = {
    NODE_ENV: 'production',
    SANDPIPER_EMBEDDED: '1',
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    SMTP_URL: mails.url,
    DATABASE_URL: appUrl,
    DATABASE_MIGRATION_URL: '',
    DATA_DIR: folder,
    REDIS_URL: redis.url,
    TRUSTED_PROXY_CIDRS: '127.0.0.1/32',
    ENCRYPTION_KEYS: `load:${randomBytes(32).toString('base64')}`,
  }
  services = createServices({
    env: parseEnv({ ...environment, REDIS_URL: '' }),
    appUrl,
    log: pino({ level: 'silent' }),
  })
  owner = new pg.Pool({ connectionString: ownerUrl, max: 2 })
  owner.on('error', () => {}) // killed on purpose
  web = await startServer({ environment: { ...environment, ROLE: 'web' }, host: '127.0.0.1', port, logFile })
  worker = await startWorker()
  developers = []
  for (let index = 0; index < 30; index++) developers.push(await settle(services, owner, index))
})

afterAll(async () => {
  await web?.stop()
  await worker?.stop()
  await services?.close()
  await owner?.end()
  await redis?.remove()
  await mails?.close()
  await discardPostgres(join(folder, 'postgres'))
  rmSync(folder, { recursive: true, force: true })
})

function startWorker(): Promise<Running> {
  return startServer({
    environment: { ...environment, ROLE: 'worker' },
    host: '127.0.0.1',
    port: workerPort,
    logFile,
  })
}

const kills = {
  async worker() {
    process.kill(worker.pid, 'SIGKILL')
    await worker.exited
    await sleep(1_000)
    worker = await startWorker()
  },
  async redis() {
    await redis.stop()
    await sleep(2_000)
    redis.start()
  },
  async mail() {
    await mails.goDown()
    await sleep(2_000)
    await mails.comeBack()
  },
  async postgres() {
    const pid = Number.parseInt(readFileSync(join(postgres.cluster, 'postmaster.pid'), 'utf8'), 10)
    process.kill(pid, 'SIGKILL')
    while (processIdentity(pid) !== null) await sleep(10)
    await expect.poll(postgres.revive, { timeout: 60_000, interval: 100 }).toBe(true)
  },
}

test('nothing that was acknowledged is lost or doubled while every part is killed', {
  timeout: 900_000,
}, async () => {
  onTestFailed(() => console.log(readFileSync(logFile, 'utf8').slice(-8_000)))
  const writers = await startPatientWriters(services, { origin: web.origin, count: 3 })
  const { Patient: before = 0 } = await services.store.datasets.counts(writers.datasetId)
  const work = { over: false }
  const keys = requestKeys(work)
  const exports = runExports(services, web.origin, work)

  for (let round = 0; round < ROUNDS; round++) {
    for (const kill of Object.values(kills)) {
      await sleep(WORK_MS)
      await kill()
    }
  }
  await sleep(WORK_MS)
  work.over = true
  await writers.stop()
  const [askedFor, finished] = await Promise.all([keys, exports])

  await checkPatients(writers, before)
  const copies = await checkKeysAndEmails(askedFor)
  checkExports(finished)
  console.log(
    `${writers.acknowledged.size} patients (statuses ${JSON.stringify([...writers.statuses])}), ` +
      `${askedFor.length} keys, ${copies.emails} emails, ${copies.repeated} sent again, ${finished.length} exports`,
  )
})

async function checkPatients(writers: PatientWriters, before: number): Promise<void> {
  const { acknowledged, datasetId, faults } = writers
  const { Patient: after = 0 } = await services.store.datasets.counts(datasetId)
  expect(faults).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(20)
  expect(new Set(acknowledged.values()).size).toBe(acknowledged.size)
  expect(after - before).toBe(acknowledged.size)
}

/** Key forms, each repeated until it is answered. */
async function requestKeys(work: { over: boolean }): Promise<string[]> {
  const terms = createAgreementTexts().get('sandbox-terms')
  const answered: string[] = []
  for (const developer of developers) {
    if (work.over) break
    const form = { developer, idempotencyKey: randomUUID() }
    while ((await sendKeyForm(environment.PUBLIC_ORIGIN ?? '', form, terms)) !== 'answered') await sleep(300)
    answered.push(form.idempotencyKey)
    await sleep(300)
  }
  return answered
}

async function checkKeysAndEmails(
  answered: readonly string[],
): Promise<{ emails: number; repeated: number }> {
  const count = async (sql: string) => (await owner.query<{ n: number }>(sql)).rows[0]?.n
  const { rows } = await owner.query<{ key: string }>(
    'SELECT idempotency_key AS key FROM portal.sandbox_key_request ORDER BY 1',
  )
  expect(answered.length).toBeGreaterThan(5)
  expect(rows.map(({ key }) => key)).toEqual([...answered].sort())
  for (const open of [
    `SELECT count(*)::int AS n FROM portal.sandbox_key_request WHERE state <> 'ready_to_claim'`,
    `SELECT count(*)::int AS n FROM portal.outbox_mail WHERE state <> 'sent'`,
  ])
    await expect.poll(() => count(open), { timeout: 240_000, interval: 500 }).toBe(0)
  const { rows: written } = await owner.query<{ id: string }>(
    'SELECT message_id AS id FROM portal.outbox_mail ORDER BY 1',
  )
  const received = mails.all().map(({ messageId }) => messageId)
  expect([...new Set(received)].sort()).toEqual(written.map(({ id }) => id).sort())
  // Only where a kill fell between the mail server's answer and the note of it, and with the same Message-ID.
  const repeated = received.length - written.length
  expect(repeated).toBeLessThanOrEqual(ROUNDS * Object.keys(kills).length * EMAILS_AT_ONCE)
  return { emails: written.length, repeated }
}
