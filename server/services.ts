/** Builds every service once, from the bottom up. What a service needs stands in its line; nothing is global. */
import { randomBytes } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Logger } from 'pino'
import { PrismaClient } from '../prisma/generated/client/client.ts'
import { createAccessLog } from './audit/access-log.ts'
import { createActivityLog } from './audit/activity-log.ts'
import { headFolders } from './audit/head-folder.ts'
import { createPortalAudit } from './audit/portal-audit.ts'
import { createRecorder } from './audit/recorder.ts'
import { createSealer } from './audit/sealer.ts'
import { createPasswords } from './auth/password.ts'
import { createSessions } from './auth/sessions.ts'
import { createCcd } from './ccd/ccd.ts'
import { pagePolicy } from './ccd/page.ts'
import { createCcdWriters } from './ccd/writers.ts'
import { paths } from './contract/portal/paths.ts'
import { createAccounts } from './domain/accounts/accounts.ts'
import { createThrottle } from './domain/accounts/throttle.ts'
import { createAgreementTexts } from './domain/agreements/agreement-texts.ts'
import type { AgreementListener } from './domain/agreements/agreement-types.ts'
import { createAgreements } from './domain/agreements/agreements.ts'
import { createRegistrationTexts } from './domain/agreements/registration-texts.ts'
import { createSandboxTerms } from './domain/agreements/sandbox-terms.ts'
import { createOfficeCalendar } from './domain/business-days/business-days.ts'
import { createDirectory } from './domain/directory/directory.ts'
import { createDocuments } from './domain/documents/documents.ts'
import { createEncounters } from './domain/encounters/encounters.ts'
import { createKeys } from './domain/keys/keys.ts'
import { createLinkTokens } from './domain/link-tokens/link-tokens.ts'
import { createMfaAdmin } from './domain/mfa/mfa-admin.ts'
import { createMfaFactors } from './domain/mfa/mfa-factors.ts'
import { createMetricQueries } from './domain/operations/metric-queries.ts'
import { createOperations } from './domain/operations/operations.ts'
import { createStaffAdmin } from './domain/operations/staff-admin.ts'
import { createOrganizationDomains } from './domain/organizations/domains.ts'
import { createOrganizations } from './domain/organizations/organizations.ts'
import { createPatients } from './domain/patients/patients.ts'
import { createOrganizationSandboxes } from './domain/practices/organization-sandbox.ts'
import { createPracticeData } from './domain/practices/practice-data.ts'
import { createPracticePeople } from './domain/practices/practice-people.ts'
import { createProductionKeys } from './domain/production-keys/production-keys.ts'
import { createFollowRotation } from './domain/production-keys/rotation.ts'
import { createCreateRecord } from './domain/records/create-record.ts'
import { createLinter } from './domain/registrations/lint/linter.ts'
import { createLogos } from './domain/registrations/logos.ts'
import { createRegistrations } from './domain/registrations/registrations.ts'
import { createStatus } from './domain/status/status.ts'
import type { Env } from './env.ts'
import { ipSubject } from './http/client-ip.ts'
import { createMetrics } from './http/metrics.ts'
import { createKeyring } from './keyring.ts'
import { createActiveFaults } from './lab/faults/active-faults.ts'
import { createFaultAdmin } from './lab/faults/fault-admin.ts'
import { createFaults } from './lab/faults/inject-fault.ts'
import { pause as realPause } from './lab/faults/pause.ts'
import { createGoLive } from './lab/go-live/go-live.ts'
import { createSandbox } from './lab/sandbox/sandbox.ts'
import { createClientLimits } from './limits/client-limits.ts'
import { takeDocumentWindow } from './limits/document-window.ts'
import { createLimiter } from './limits/limiter.ts'
import { createJobQueue } from './mail/job-queue.ts'
import { createMail } from './mail/mail.ts'
import type { MailTransport } from './mail/transport.ts'
import { createOutbound, type Outbound, readLocalHosts } from './outbound/outbound.ts'
import { createExplorer } from './start/explorer-services.ts'
import { createExportServices } from './start/export-services.ts'
import { ownGauges, sharedGauges } from './start/gauges.ts'
import { createPracticeServices } from './start/practice-services.ts'
import { createSmartServices } from './start/smart-services.ts'
import { createProbes } from './status/probes/probes.ts'
import { createPool } from './store/pool.ts'
import { createStore } from './store/store.ts'

type ServicesOptions = {
  env: Env
  log: Logger
  /** Connects as the server's own role, which owns nothing. */
  appUrl: string
  clock?: () => Date
  /** In place of the one that SMTP_URL names. */
  mailTransport?: MailTransport
  /** In place of the fetcher that reaches the Internet. */
  outbound?: Outbound
  /** How our own server is reached by its probes; over the wire unless told. */
  send?: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds until a wait for a connection to the database is given up. */
  waitMs?: number
  /** How long a request is made to wait, in place of the time itself. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

export function createServices({
  env,
  log,
  appUrl,
  clock = () => new Date(),
  mailTransport,
  outbound = createOutbound({ localHosts: readLocalHosts(env.OUTBOUND_HOSTS) }),
  send = fetch,
  waitMs,
  pause = realPause,
}: ServicesOptions) {
  const pool = createPool({ connectionString: appUrl, max: env.DATABASE_POOL, waitMs, log })
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  const keyring = createKeyring(env.ENCRYPTION_KEYS)
  const strongBytes = (size: number) => randomBytes(size)

  const store = createStore({ pool, clock })
  const readMetrics = createMetricQueries({ prisma, clock })
  const sharedReadings = async () =>
    sharedGauges(await readMetrics(), await sealer.health(), await store.countBehind())
  // Nobody may ask: nothing is counted.
  const metrics = env.METRICS_TOKEN
    ? createMetrics({ own: () => ownGauges(pool), shared: sharedReadings })
    : null
  const windows = createLimiter({ clock, redisUrl: env.REDIS_URL, log })
  const limiter = metrics ? metrics.watch(windows) : windows
  const clientLimits = createClientLimits({ prisma, clock, log })
  const ccdWriters = createCcdWriters({ connectionString: appUrl })
  const ccd = createCcd({
    store,
    writers: ccdWriters,
    takeWindow: (credential) => takeDocumentWindow(credential, limiter),
  })
  const recorder = createRecorder({ connectionString: appUrl, log })
  const activityLog = createActivityLog({ pool })
  const accessLog = createAccessLog({ pool })
  const portalAudit = createPortalAudit({ clock })
  const sealer = createSealer({ prisma, clock, keyring, portalAudit, headFolders: headFolders(env) })

  const jobs = createJobQueue()
  const mail = createMail({ prisma, clock, keyring, jobs, log, env, transport: mailTransport })
  const linkTokens = createLinkTokens({ prisma, clock, randomBytes: strongBytes })
  const sessions = createSessions({ prisma, clock, env })

  const passwords = createPasswords()
  const accounts = createAccounts({
    prisma,
    clock,
    log,
    env,
    mail,
    jobs,
    portalAudit,
    linkTokens,
    sessions,
    passwords,
  })
  const mfaFactors = createMfaFactors({
    prisma,
    clock,
    keyring,
    portalAudit,
    sessions,
    randomBytes: strongBytes,
  })
  const sandboxTerms = createSandboxTerms()
  const registrationTexts = createRegistrationTexts()
  const sandboxes = createOrganizationSandboxes({
    prisma,
    datasets: store.datasets,
    clock,
    keyring,
    passwords,
    portalAudit,
  })
  const practiceData = createPracticeData({ prisma, datasets: store.datasets, jobs })
  const records = createCreateRecord({ store })
  const calendar = createOfficeCalendar(env.BUSINESS_TZ)
  const core = { prisma, clock, log, mail, portalAudit, calendar }
  const throttle = createThrottle({ prisma, clock })
  const keys = createKeys({
    ...core,
    followRotation: createFollowRotation(core),
    env,
    jobs,
    linkTokens,
    sessions,
    sandboxTerms,
    sandboxes,
    activityLog,
    throttle,
    randomBytes: strongBytes,
  })

  const activeFaults = createActiveFaults({ prisma, clock, log })
  const smart = createSmartServices({
    ...core,
    pool,
    store,
    env,
    keyring,
    recorder,
    activityLog,
    sessions,
    sandboxes,
    outbound,
    send,
    pause,
    randomBytes: strongBytes,
    throttle,
  })
  const { jwks, shared: smartShared } = smart
  const { addresses, clients, signingKeys } = smart.services
  const practicePeople = createPracticePeople({ prisma })
  const linter = createLinter({ outbound })
  const registrations = createRegistrations({
    ...core,
    env,
    jobs,
    sandboxes,
    clients,
    jwks,
    addresses,
    linter,
    terms: { current: registrationTexts.terms },
    logoAddress: (hash) => env.PUBLIC_ORIGIN + paths.logo(hash),
    randomBytes: strongBytes,
    send,
  })
  const agreementTexts = createAgreementTexts()
  /** Whoever has to hear of changes of agreements adds itself here. */
  const agreementListeners: AgreementListener[] = []
  const agreements = createAgreements({
    prisma,
    clock,
    log,
    env,
    mail,
    portalAudit,
    texts: agreementTexts,
    throttle,
    listeners: agreementListeners,
  })
  const status = createStatus({
    prisma,
    clock,
    log,
    env,
    keyring,
    mail,
    linkTokens,
    throttle,
    takeStatusWindow: (ip) => limiter.take([{ window: 'statusIp', subject: ipSubject(ip) }]),
    portalAudit,
    jobs,
    addresses,
    store,
    randomBytes: strongBytes,
  })

  const productionKeys = createProductionKeys({
    ...core,
    env,
    linkTokens,
    activityLog,
    agreements,
    practiceStatus: status.practice,
    randomBytes: strongBytes,
  })
  agreementListeners.push(productionKeys.listen)

  const staffAdmin = createStaffAdmin({ clock, mail, portalAudit, linkTokens })
  const practices = createPracticeServices({
    prisma,
    clock,
    mail,
    portalAudit,
    linkTokens,
    passwords,
    throttle,
    productionKeys,
    activityLog,
    accessLog,
    datasets: store.datasets,
  })

  /** In the order in which nothing is lost: records first, connections last. */
  async function close(): Promise<void> {
    await recorder.close()
    await ccdWriters.close()
    await limiter.close()
    mail.close()
    await prisma.$disconnect()
    await pool.end()
  }

  return {
    core,
    env,
    log,
    clock,
    appUrl,
    pool,
    prisma,
    keyring,
    store,
    limiter,
    metrics,
    readMetrics,
    clientLimits,
    recorder,
    activityLog,
    accessLog,
    portalAudit,
    sealer,
    jobs,
    mail,
    linkTokens,
    sessions,
    accounts,
    mfaFactors,
    mfaAdmin: createMfaAdmin({ prisma, clock, mail, portalAudit, sessions }),
    organizations: createOrganizations({ prisma, clock, mail, portalAudit, linkTokens }),
    sandboxTerms,
    registrationTexts,
    linter,
    logos: createLogos({ prisma, clock }),
    registrations,
    agreementTexts,
    agreementListeners,
    agreements,
    organizationDomains: createOrganizationDomains({ prisma, clock, mail, portalAudit, linkTokens }),
    sandboxes,
    practiceData,
    sandbox: createSandbox({
      prisma,
      clock,
      jobs,
      portalAudit,
      throttle,
      datasets: store.datasets,
      practiceData,
      sandboxes,
      store,
      recorder,
      ccd,
      ccdPolicy: pagePolicy,
      keyring,
      passwords,
    }),
    goLive: createGoLive({ prisma, clock, activityLog }),
    records,
    patients: createPatients(records),
    encounters: createEncounters(records),
    documents: createDocuments(records),
    ccd,
    directory: createDirectory({ prisma, store, clock }),
    keys,
    ...createExplorer({
      ...smartShared,
      store,
      recorder,
      env,
      log,
      keyring,
      limiter,
      sandboxes,
      signingKeys,
      activityLog,
      accessLog,
    }),
    faults: createFaults({ active: activeFaults, pause }),
    faultAdmin: createFaultAdmin({ prisma, clock, portalAudit, activityLog, active: activeFaults }),
    ...smart.services,
    practicePeople,
    ...practices,
    productionKeys,
    operations: createOperations({
      prisma,
      clock,
      portalAudit,
      mail,
      jobs,
      linkTokens,
      sealer,
      keys,
      productionKeys,
      ...practices,
      staffAdmin,
      registrations,
    }),
    staffAdmin,
    ...createExportServices({ prisma, clock, env, keyring, jobs, portalAudit }),
    outbound,
    status,
    probes: createProbes({ env, clock, log, mail, outbound, status }),
    close,
  }
}

export type Services = ReturnType<typeof createServices>
