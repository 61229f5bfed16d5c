/** Composes the server: creates what everything depends on and binds the functions of each domain to it. */
import * as accessLog from './audit/access-log.ts'
import * as accessSeal from './audit/access-seal.ts'
import * as activityLog from './audit/activity-log.ts'
import { createCcd } from './ccd/ccd.ts'
import { createCcdWriters } from './ccd/writers.ts'
import { heavyCosts } from './contract/http/limits.ts'
import type { RegistrationForm } from './contract/workflows/registration-form.ts'
import * as accessUse from './domain/access-use/access-use.ts'
import * as accessAlerts from './domain/access-use/alerts.ts'
import * as accounts from './domain/accounts/accounts.ts'
import * as agreements from './domain/agreements/agreements.ts'
import * as authorizations from './domain/authorizations/authorizations.ts'
import * as pendingAuthorizations from './domain/authorizations/pending-requests.ts'
import * as bulkExports from './domain/bulk-exports/bulk-exports.ts'
import * as exportAdmin from './domain/bulk-exports/export-admin.ts'
import * as exportRuns from './domain/bulk-exports/export-runs.ts'
import * as assertionDoctor from './domain/clients/assertions.ts'
import * as clientAuthentication from './domain/clients/client-authentication.ts'
import * as clients from './domain/clients/clients.ts'
import * as secretHandover from './domain/clients/secret-handover.ts'
import { type Core, withCore } from './domain/core.ts'
import * as deprecationNotices from './domain/deprecations/notices.ts'
import { createDirectory } from './domain/directory/directory.ts'
import { account } from './domain/disclosures/accounting.ts'
import { findPatients } from './domain/disclosures/find-patients.ts'
import { issue } from './domain/disclosures/issue-accounting.ts'
import * as documents from './domain/documents/documents.ts'
import * as encounters from './domain/encounters/encounters.ts'
import * as grants from './domain/grants/grants.ts'
import { lastReads, namePatients } from './domain/grants/practice-grants.ts'
import * as tokens from './domain/grants/tokens.ts'
import * as inbox from './domain/inbox/inbox.ts'
import * as keys from './domain/keys/keys.ts'
import * as mfaAdmin from './domain/mfa/mfa-admin.ts'
import * as mfaFactors from './domain/mfa/mfa-factors.ts'
import { bindOperations } from './domain/operations/operations.ts'
import * as staffAdmin from './domain/operations/staff-admin.ts'
import * as organizationDomains from './domain/organizations/domains.ts'
import * as organizations from './domain/organizations/organizations.ts'
import * as ownAccess from './domain/patients/own-access.ts'
import * as patients from './domain/patients/patients.ts'
import * as fhirPolicy from './domain/practices/fhir-policy.ts'
import * as keyAccess from './domain/practices/key-access.ts'
import * as keyCaps from './domain/practices/key-caps.ts'
import * as keyLimits from './domain/practices/key-limits.ts'
import * as sandboxes from './domain/practices/organization-sandbox.ts'
import * as practiceAdmin from './domain/practices/practice-admin.ts'
import * as practiceAudit from './domain/practices/practice-audit.ts'
import * as practiceConsole from './domain/practices/practice-console.ts'
import * as practiceData from './domain/practices/practice-data.ts'
import * as practicePeople from './domain/practices/practice-people.ts'
import * as practiceStaff from './domain/practices/practice-staff.ts'
import * as practiceStops from './domain/practices/practice-stops.ts'
import * as withheldPatients from './domain/practices/withheld-patients.ts'
import * as withholdRequests from './domain/practices/withhold-requests.ts'
import { listen } from './domain/production-keys/documents.ts'
import * as productionKeys from './domain/production-keys/production-keys.ts'
import * as productionReviews from './domain/production-keys/reviews.ts'
import * as securityProfiles from './domain/production-keys/security-profiles.ts'
import * as sponsors from './domain/production-keys/sponsors.ts'
import * as records from './domain/records/create-record.ts'
import { lint, look } from './domain/registrations/lint/linter.ts'
import * as logos from './domain/registrations/logos.ts'
import * as registrationReviews from './domain/registrations/registration-reviews.ts'
import * as registrations from './domain/registrations/registrations.ts'
import * as reviewQueues from './domain/review-queue/queue.ts'
import { createStatus } from './domain/status/status.ts'
import * as ownSandboxSystems from './domain/system-authorizations/own-sandbox.ts'
import * as backendAuthorizations from './domain/system-authorizations/system-authorizations.ts'
import { createDrain } from './http/health.ts'
import { pause as realPause } from './lab/faults/inject-fault.ts'
import { bindLab } from './lab/lab.ts'
import type { LabCore } from './lab/lab-core.ts'
import { createClientLimits, takeHeavyWindow } from './limits/fhir-windows.ts'
import { createLoadShedding, type LoadGauge, noLoad } from './limits/load-shedding.ts'
import { type CoreOptions, createCore } from './start/core.ts'
import { storageOf } from './start/folders.ts'
import * as probes from './status/probes/probes.ts'
import { renewLogMonths } from './store/log-months.ts'

type ServicesOptions = CoreOptions & {
  /** Measures how busy this process is; by default, it never is. */
  loadGauge?: LoadGauge
  /** The largest NDJSON file of an export, before compression. */
  exportFileBytesMax?: number
  /** Delays a request. Tests replace it, so that they need not wait. */
  pause?: LabCore['pause']
}

export function createServices({
  pause = realPause,
  loadGauge = noLoad,
  exportFileBytesMax = 200_000_000,
  ...options
}: ServicesOptions) {
  const { core: base, metrics, readMetrics } = createCore(options)
  const core: Core = {
    ...base,
    agreementListeners: [listen],
    practiceStatus: (id) => status.practice(id),
  }
  const { clock, env, keyring, limiter, log, mail, pool, prisma, recorder, store } = core
  const ccdWriters = createCcdWriters({ connectionString: options.appUrl })
  const ccd = createCcd({
    store,
    writers: ccdWriters,
    takeWindow: (credential) => takeHeavyWindow(limiter, credential, heavyCosts.ccd),
  })
  const status = createStatus(core)
  const load = createLoadShedding({ clock, keyring, gauge: loadGauge })
  /** The order matters: records are written first, connections end last. */
  async function close(): Promise<void> {
    loadGauge.close()
    await recorder.close()
    await ccdWriters.close()
    await limiter.close()
    mail.close()
    await prisma.$disconnect()
    await pool.end()
  }

  return {
    ...core,
    ...bindDomain(core),
    ...bindLab({ ...core, pause }),
    core,
    appUrl: options.appUrl,
    directUrl: options.directUrl ?? options.appUrl,
    ccd,
    clientLimits: createClientLimits({ prisma, clock, log }),
    close,
    drain: createDrain(),
    exportSettings: { storage: storageOf(env), fileBytesMax: exportFileBytesMax },
    load,
    metrics,
    readMetrics,
    status,
  }
}

function bindDomain(core: Core) {
  return {
    accessLog: withCore(core, accessLog),
    accessSeal: withCore(core, accessSeal),
    accounts: withCore(core, accounts),
    activityLog: withCore(core, activityLog),
    logMonths: withCore(core, { renew: renewLogMonths }),
    agreements: withCore(core, agreements),
    assertionDoctor: withCore(core, assertionDoctor),
    authorizations: withCore(core, authorizations),
    backendAuthorizations: withCore(core, backendAuthorizations),
    bulkExports: withCore(core, bulkExports),
    clientAuthentication: withCore(core, clientAuthentication),
    clients: withCore(core, clients),
    directory: createDirectory(core),
    deprecationNotices: withCore(core, deprecationNotices),
    accessAlerts: withCore(core, accessAlerts),
    accessUse: withCore(core, accessUse),
    disclosures: withCore(core, { account, findPatients, issue }),
    documents: withCore(core, documents),
    encounters: withCore(core, encounters),
    exportAdmin: withCore(core, exportAdmin),
    exportRuns: withCore(core, exportRuns),
    fhirPolicy: withCore(core, fhirPolicy),
    grants: withCore(core, grants),
    keys: withCore(core, keys),
    inbox: withCore(core, inbox),
    linter: { look, lint: (form: RegistrationForm) => lint(core, form) },
    logos: withCore(core, logos),
    mfaAdmin: withCore(core, mfaAdmin),
    mfaFactors: withCore(core, mfaFactors),
    ...withCore(core, { namePatients, lastReads }),
    operations: bindOperations(core),
    ownSandboxSystems: withCore(core, ownSandboxSystems),
    organizationDomains: withCore(core, organizationDomains),
    organizations: withCore(core, organizations),
    patients: withCore(core, patients),
    pendingAuthorizations: withCore(core, pendingAuthorizations),
    practiceAdmin: withCore(core, practiceAdmin),
    practiceAudit: withCore(core, practiceAudit),
    practiceConsole: withCore(core, practiceConsole),
    keyAccess: withCore(core, keyAccess),
    keyCaps: withCore(core, keyCaps),
    keyLimits: withCore(core, keyLimits),
    practiceStops: withCore(core, practiceStops),
    withheldPatients: withCore(core, withheldPatients),
    withholdRequests: withCore(core, withholdRequests),
    ownAccess: withCore(core, ownAccess),
    practiceData: withCore(core, practiceData),
    practicePeople: withCore(core, practicePeople),
    practiceStaff: withCore(core, practiceStaff),
    productionKeys: {
      ...withCore(core, productionKeys),
      profiles: withCore(core, securityProfiles),
      reviews: withCore(core, productionReviews),
      sponsors: withCore(core, sponsors),
    },
    probes: withCore(core, probes),
    records: withCore(core, records),
    registrations: {
      ...withCore(core, registrations),
      reviews: withCore(core, registrationReviews),
    },
    ...bindReviewQueue(core),
    sandboxes: withCore(core, sandboxes),
    staffAdmin: withCore(core, staffAdmin),
    secretHandover: withCore(core, secretHandover),
    tokens: withCore(core, tokens),
  }
}

export type Services = ReturnType<typeof createServices>

function bindReviewQueue(core: Core) {
  return {
    reviewQueues: withCore(core, reviewQueues),
  }
}
