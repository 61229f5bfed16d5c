/** What every job file gives: a name, the shape of its payload and the work. */
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { forgetOld as forgetAccess } from '../audit/access-log.ts'
import type { sealAccess } from '../audit/access-seal.ts'
import type { forgetOld as forgetActivity } from '../audit/activity-log.ts'
import type { archiveMonths } from '../audit/archive-months.ts'
import type { forgetDays, keepDays } from '../domain/access-use/access-use.ts'
import type { raiseAlerts } from '../domain/access-use/alerts.ts'
import type * as accountsVerbs from '../domain/accounts/accounts.ts'
import type { Agreements } from '../domain/agreements/agreement-types.ts'
import type * as pendingRequestsVerbs from '../domain/authorizations/pending-requests.ts'
import type * as exportRunsVerbs from '../domain/bulk-exports/export-runs.ts'
import type { ExportSettings } from '../domain/bulk-exports/export-types.ts'
import type { WithCore } from '../domain/core.ts'
import type { notifyCallers } from '../domain/deprecations/notices.ts'
import type * as tokensVerbs from '../domain/grants/tokens.ts'
import type { forgetSnoozes, sendDigests } from '../domain/inbox/inbox.ts'
import type * as keysVerbs from '../domain/keys/keys.ts'
import type { Operations } from '../domain/operations/operations.ts'
import type * as organizationsVerbs from '../domain/organizations/organizations.ts'
import type * as keyAccessVerbs from '../domain/practices/key-access.ts'
import type * as keyCapsVerbs from '../domain/practices/key-caps.ts'
import type * as sandboxesVerbs from '../domain/practices/organization-sandbox.ts'
import type * as practiceDataVerbs from '../domain/practices/practice-data.ts'
import type { tick as tickProductionKeys } from '../domain/production-keys/production-keys.ts'
import type * as createRecordVerbs from '../domain/records/create-record.ts'
import type * as registrationsVerbs from '../domain/registrations/registrations.ts'
import type { Status } from '../domain/status/status.ts'
import type * as explorerHistoryVerbs from '../lab/explorer/explorer-history.ts'
import type { Lab } from '../lab/lab.ts'
import type * as launchLabVerbs from '../lab/launches/launch-lab.ts'
import type * as openLogVerbs from '../lab/launches/open-log.ts'
import type { Mail } from '../mail/mail.ts'
import type * as probesVerbs from '../status/probes/probes.ts'
import type { renewLogMonths } from '../store/log-months.ts'

/** The services that jobs call. */
export type JobServices = {
  directUrl: string
  clock: () => Date
  log: Logger
  accessArchive: WithCore<{ archiveMonths: typeof archiveMonths }>
  accessLog: WithCore<{ forgetOld: typeof forgetAccess }>
  accessSeal: WithCore<{ sealAccess: typeof sealAccess }>
  accessAlerts: WithCore<{ raiseAlerts: typeof raiseAlerts }>
  accessUse: WithCore<{ forgetDays: typeof forgetDays; keepDays: typeof keepDays }>
  accounts: WithCore<typeof accountsVerbs>
  activityLog: WithCore<{ forgetOld: typeof forgetActivity }>
  deprecationNotices: WithCore<{ notifyCallers: typeof notifyCallers }>
  keys: WithCore<typeof keysVerbs>
  explorerKeys: Pick<Lab['explorerKeys'], 'tidyKeys'>
  explorerTokens: Pick<Lab['explorerTokens'], 'tidyTokens'>
  explorerHistory: Pick<WithCore<typeof explorerHistoryVerbs>, 'forgetOld'>
  faultAdmin: Pick<Lab['faultAdmin'], 'forgetOld'>
  launchLab: Pick<WithCore<typeof launchLabVerbs>, 'forgetOld'>
  openLaunches: Pick<WithCore<typeof openLogVerbs>, 'forgetOpen'>
  logMonths: WithCore<{ renew: typeof renewLogMonths }>
  inbox: WithCore<{ forgetSnoozes: typeof forgetSnoozes; sendDigests: typeof sendDigests }>
  mail: Mail
  operations: {
    audit: Pick<Operations['audit'], 'checkChainDaily'>
    credentialCheck: Operations['credentialCheck']
    jobs: Pick<Operations['jobs'], 'deleteGivenUp'>
  }
  organizations: WithCore<typeof organizationsVerbs>
  sandboxes: WithCore<typeof sandboxesVerbs>
  practiceData: WithCore<typeof practiceDataVerbs>
  records: WithCore<typeof createRecordVerbs>
  pendingAuthorizations: Pick<WithCore<typeof pendingRequestsVerbs>, 'deleteExpired'>
  tokens: Pick<WithCore<typeof tokensVerbs>, 'deleteExpired'>
  exportRuns: WithCore<typeof exportRunsVerbs>
  exportSettings: ExportSettings
  registrations: Pick<WithCore<typeof registrationsVerbs>, 'enable' | 'tick' | 'sendDigest'>
  productionKeys: WithCore<{ tick: typeof tickProductionKeys }>
  agreements: Pick<Agreements, 'tick'>
  keyAccess: Pick<WithCore<typeof keyAccessVerbs>, 'announceAgreed'>
  keyCaps: Pick<WithCore<typeof keyCapsVerbs>, 'forgetOldDays'>
  sandbox: Pick<Lab['sandbox'], 'changes' | 'runs'>
  status: Status
  store: {
    documents: { sweep(): Promise<number>; sweepObjects(): Promise<number> }
    reindex(options: {
      withinMs: number
      batchSize: number
    }): Promise<{ renewed: number; refused: readonly string[] }>
  }
  probes: WithCore<typeof probesVerbs>
}

export type JobContext = {
  /** Holds the advisory lock that tells that this worker lives. */
  workerId: string
  now: Date
}

export type JobTask<Schema extends z.ZodType = z.ZodType> = {
  name: string
  payload: Schema
  /** A cron expression in UTC, for ticks: they look for what is due by now and take no payload. */
  every?: string
  /** May take minutes: such jobs have places of their own. */
  long?: true
  /** Safe to run twice, and at two workers at once. */
  run(services: JobServices, payload: z.output<Schema>, context: JobContext): Promise<unknown>
}

export function defineTask<Schema extends z.ZodType>(task: JobTask<Schema>): JobTask<Schema> {
  return task
}
