/** Creates the core services of the domain: database, logs, mail, keys, and others with connections or state. */
import { randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { headFolders } from '../audit/head-folder.ts'
import { createPortalAudit } from '../audit/portal-audit.ts'
import { createRecorder } from '../audit/recorder.ts'
import { createSealer, type SealerHealth } from '../audit/sealer.ts'
import { createPasswords } from '../auth/password.ts'
import { createSessions } from '../auth/sessions.ts'
import { createSmartTokenAuth } from '../auth/smart-token.ts'
import { deprecations as announced, type Deprecations } from '../contract/http/deprecations.ts'
import { createAgreementTexts, createRegistrationTexts } from '../domain/agreements/agreement-texts.ts'
import { openStorage } from '../domain/bulk-exports/export-storage.ts'
import { createOfficeCalendar } from '../domain/business-days/business-days.ts'
import { createJwksSource } from '../domain/clients/jwks-source.ts'
import type { Core } from '../domain/core.ts'
import { createSmartAddresses } from '../domain/grants/smart-addresses.ts'
import { createMetricQueries, type OperationsMetrics } from '../domain/operations/metric-queries.ts'
import { createSigningKeys } from '../domain/signing-keys/signing-keys.ts'
import type { Env } from '../env.ts'
import { ipSubject } from '../http/client-ip.ts'
import { createMetrics, type GaugeReadings } from '../http/metrics.ts'
import { createKeyring } from '../keyring.ts'
import { createLimiter } from '../limits/shared-windows.ts'
import { type JobQueue, jobQueue } from '../mail/job-queue.ts'
import { createMail } from '../mail/mail.ts'
import type { MailTransport } from '../mail/smtp-transport.ts'
import { demonstrationAnswers } from '../outbound/demonstration-sites.ts'
import { createOutbound, type Outbound, readLocalHosts } from '../outbound/outbound.ts'
import { readClockOffset } from '../store/clock-offset.ts'
import { createPrismaAdapter } from '../store/database-client.ts'
import { findMonthsAhead } from '../store/log-months.ts'
import { createPool } from '../store/pool.ts'
import { patientPool, patientTransactions } from '../store/retry.ts'
import { createStore } from '../store/store.ts'
import { readBuild } from './build-info.ts'
import { contentStorageOf, storageOf } from './folders.ts'

export type CoreOptions = {
  env: Env
  log: Logger
  /** The URL with the server's own role, which owns no tables. */
  appUrl: string
  /** The same database without a pooler, for connections that last; `appUrl` by default. */
  directUrl?: string
  clock?: () => Date
  /** Replaces the transport of SMTP_URL. */
  mailTransport?: MailTransport
  /** Replaces the client for URLs on the Internet. */
  outbound?: Outbound
  /** Replaces the deprecations of the contract. */
  deprecations?: Deprecations
  /** Replaces the job queue in the database. */
  jobs?: JobQueue
  /** Sends requests of status probes to our own server; `fetch` by default. */
  send?: (url: string, init: RequestInit) => Promise<Response>
  /** How long to wait for a database connection, in milliseconds. */
  waitMs?: number
  /** Waits longer for the database than a request, for commands and workers. */
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
    localHosts: readLocalHosts(env.SANDPIPER_OUTBOUND_HOSTS),
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
  const ownReadings = async (): Promise<GaugeReadings> => {
    const exportFreeBytes = storage.kind === 'folder' ? await freeBytes(storage.folder) : null
    return {
      sandpiper_build_info: [{ labels: readBuild(), value: 1 }],
      sandpiper_limits_state: series({ [windows.state()]: 1 }, 'state'),
      ...(exportFreeBytes !== null && { sandpiper_export_free_bytes: [{ value: exportFreeBytes }] }),
      sandpiper_database_connections: series(
        { in_use: pool.totalCount - pool.idleCount, idle: pool.idleCount },
        'state',
      ),
      sandpiper_database_requests_waiting: [{ value: pool.waitingCount }],
    }
  }
  // Without a token the metrics cannot be read, so nothing is counted.
  const metrics = env.METRICS_TOKEN ? createMetrics({ own: ownReadings, shared: sharedReadings }) : null
  const limiter = metrics ? metrics.watch(windows) : windows
  const core: Omit<Core, 'agreementListeners' | 'practiceStatus'> = {
    addresses: createSmartAddresses(env),
    agreementTexts: createAgreementTexts(),
    calendar: createOfficeCalendar(env.BUSINESS_TZ),
    clock,
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

/** The free space of a folder's disk, even if the folder does not exist yet; null if it cannot be read. */
async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(folder) !== folder
    return isMissing ? freeBytes(dirname(folder)) : null
  }
}

/** Converts counts to the series of a gauge. */
const series = (counts: Readonly<Record<string, number>>, label: string) =>
  Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }))

function sharedGauges(
  { jobs, outbox, exports, auditChainBroken, credentialsMended, ...oldest }: OperationsMetrics,
  audit: SealerHealth,
  searchRowsBehind: Readonly<Record<string, number>>,
  clockOffsetSeconds: number,
  logMonths: readonly { log: string; aheadSeconds: number }[],
): GaugeReadings {
  const folderFaults = Object.entries(audit.folders).map(
    ([name, state]) => [name, state === 'current' ? 0 : 1] as const,
  )
  return {
    sandpiper_audit_oldest_unsealed_seconds: [{ value: audit.oldestUnsealedSeconds ?? 0 }],
    sandpiper_audit_oldest_uncovered_seconds: [{ value: audit.oldestUncoveredSeconds ?? 0 }],
    sandpiper_audit_head_folder_faults: series(Object.fromEntries(folderFaults), 'folder'),
    sandpiper_audit_chain_broken: [{ value: auditChainBroken ? 1 : 0 }],
    sandpiper_clock_offset_seconds: [{ value: clockOffsetSeconds }],
    sandpiper_log_months_ahead_seconds: series(
      Object.fromEntries(logMonths.map(({ log, aheadSeconds }) => [log, aheadSeconds])),
      'log',
    ),
    sandpiper_credentials_mended: [{ value: credentialsMended }],
    sandpiper_jobs: jobs.flatMap(({ task, ...counts }) =>
      Object.entries(counts).map(([state, value]) => ({ labels: { task, state }, value })),
    ),
    sandpiper_jobs_oldest_due_seconds: [{ value: oldest.oldestDueSeconds ?? 0 }],
    sandpiper_outbox_mails: series(outbox, 'state'),
    sandpiper_outbox_oldest_waiting_seconds: [{ value: oldest.oldestMailSeconds ?? 0 }],
    sandpiper_exports: series(exports, 'state'),
    sandpiper_search_rows_behind: series(searchRowsBehind, 'type'),
  }
}
