/** Builds what the domain stands on: database, logs, mail, keys, and whatever else keeps a connection or a memory. */
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { headFolders } from '../audit/head-folder.ts'
import { createPortalAudit } from '../audit/portal-audit.ts'
import { createRecorder } from '../audit/recorder.ts'
import { createSealer } from '../audit/sealer.ts'
import { createPasswords } from '../auth/password.ts'
import { createSessions } from '../auth/sessions.ts'
import { createSmartTokenAuth } from '../auth/smart-token.ts'
import { deprecations as announced, type Deprecations } from '../contract/http/deprecations.ts'
import { counterSignaturePolicy } from '../contract/workflows/agreements.ts'
import { createAgreementTexts } from '../domain/agreements/agreement-texts.ts'
import { createRegistrationTexts } from '../domain/agreements/registration-texts.ts'
import { openStorage } from '../domain/bulk-exports/open-storage.ts'
import { createOfficeCalendar } from '../domain/business-days/business-days.ts'
import { createJwksSource } from '../domain/clients/jwks-source.ts'
import type { Core } from '../domain/core.ts'
import { createSmartAddresses } from '../domain/grants/smart-addresses.ts'
import { createMetricQueries } from '../domain/operations/metric-queries.ts'
import { createSigningKeys } from '../domain/signing-keys/signing-keys.ts'
import type { Env } from '../env.ts'
import { ipSubject } from '../http/client-ip.ts'
import { createMetrics } from '../http/metrics.ts'
import { createKeyring } from '../keyring.ts'
import { createLimiter } from '../limits/limiter.ts'
import { type JobQueue, jobQueue } from '../mail/job-queue.ts'
import { createMail } from '../mail/mail.ts'
import type { MailTransport } from '../mail/transport.ts'
import { demonstrationAnswers } from '../outbound/demonstration-sites.ts'
import { createOutbound, type Outbound, readLocalHosts } from '../outbound/outbound.ts'
import { readClockOffset } from '../store/clock-offset.ts'
import { findMonthsAhead } from '../store/log-months.ts'
import { patientPool, patientTransactions } from '../store/patience.ts'
import { createPool } from '../store/pool.ts'
import { createPrismaAdapter } from '../store/prisma-adapter.ts'
import { createStore } from '../store/store.ts'
import { readBuild } from './build-info.ts'
import { freeBytes } from './free-bytes.ts'
import { ownGauges, sharedGauges } from './gauges.ts'
import { contentStorageOf, openArchiveStorage, storageOf } from './storage.ts'

export type CoreOptions = {
  env: Env
  log: Logger
  /** Connects as the server's own role, which owns nothing. */
  appUrl: string
  /** The same database without a pooler, for connections that last; `appUrl` unless told. */
  directUrl?: string
  clock?: () => Date
  /** In place of the one that SMTP_URL names. */
  mailTransport?: MailTransport
  /** In place of the fetcher that reaches the Internet. */
  outbound?: Outbound
  /** In place of the rows of the contract. */
  deprecations?: Deprecations
  /** In place of the queue of the database. */
  jobs?: JobQueue
  /** How our own server is reached by its probes; over the wire unless told. */
  send?: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds until a wait for a connection to the database is given up. */
  waitMs?: number
  /** Of a command, or a process that only runs jobs: waits longer for the database than a request. */
  patient?: boolean
}

export function createCore({
  env,
  log,
  appUrl,
  directUrl = appUrl,
  clock = () => new Date(),
  mailTransport,
  outbound = createOutbound({
    localHosts: readLocalHosts(env.OUTBOUND_HOSTS),
    answerFor: demonstrationAnswers(env),
  }),
  deprecations = announced,
  jobs = jobQueue,
  send = fetch,
  waitMs,
  patient = false,
}: CoreOptions) {
  const waits = patient ? patientPool : { waitMs }
  const pool = createPool({ connectionString: appUrl, max: env.DATABASE_POOL, ...waits, log })
  const prisma = new PrismaClient({
    adapter: createPrismaAdapter(pool),
    ...(patient && { transactionOptions: patientTransactions }),
  })
  const keyring = createKeyring(env.ENCRYPTION_KEYS)
  const store = createStore({ pool, clock, contents: contentStorageOf(env) })
  const portalAudit = createPortalAudit({ clock })
  const sealer = createSealer({ prisma, clock, keyring, portalAudit, headFolders: headFolders(env) })
  const readMetrics = createMetricQueries({ prisma, clock })
  const sharedReadings = async () =>
    sharedGauges(
      await readMetrics(),
      await sealer.health(),
      await store.countBehind(),
      await readClockOffset(pool),
      await findMonthsAhead({ pool, clock }),
    )
  const windows = createLimiter({ clock, redisUrl: env.REDIS_URL, log })
  const storage = storageOf(env)
  const ownReadings = async () =>
    ownGauges({
      pool,
      limits: windows.state(),
      build: readBuild(),
      exportFreeBytes: storage.kind === 'folder' ? await freeBytes(storage.folder) : null,
    })
  // Nobody may ask: nothing is counted.
  const metrics = env.METRICS_TOKEN ? createMetrics({ own: ownReadings, shared: sharedReadings }) : null
  const limiter = metrics ? metrics.watch(windows) : windows
  const core: Omit<Core, 'agreementListeners' | 'practiceStatus'> = {
    addresses: createSmartAddresses(env),
    agreementTexts: createAgreementTexts(),
    archiveStorage: openArchiveStorage(env),
    calendar: createOfficeCalendar(env.BUSINESS_TZ),
    clock,
    counterSignature: counterSignaturePolicy,
    deprecations,
    env,
    exportStorage: openStorage(storage),
    jobs,
    jwks: createJwksSource({ prisma, clock, outbound }),
    keyring,
    limiter,
    log,
    mail: createMail({ prisma, clock, keyring, jobs, log, env, transport: mailTransport }),
    outbound,
    passwords: createPasswords(),
    pool,
    portalAudit,
    prisma,
    randomBytes: (size) => randomBytes(size),
    recorder: createRecorder({ connectionString: directUrl, log }),
    registrationTexts: createRegistrationTexts(),
    sealer,
    send,
    sessions: createSessions({ prisma, clock, env }),
    signingKeys: createSigningKeys({ prisma, clock, keyring, portalAudit }),
    smartTokens: createSmartTokenAuth({ pool, store, clock }),
    store,
    takeStatusWindow: (ip) => limiter.take([{ window: 'statusIp', subject: ipSubject(ip) }]),
  }
  return { core, metrics, readMetrics }
}
