/** What every job file gives: a name, the shape of its payload and the work. */
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { AccessLog } from '../audit/access-log.ts'
import type { ActivityLog } from '../audit/activity-log.ts'
import type { Accounts } from '../domain/accounts/accounts.ts'
import type { Agreements } from '../domain/agreements/agreement-types.ts'
import type { PendingRequests } from '../domain/authorizations/pending-requests.ts'
import type { ExportRuns } from '../domain/bulk-exports/export-runs.ts'
import type { Tokens } from '../domain/grants/tokens.ts'
import type { Keys } from '../domain/keys/keys.ts'
import type { Operations } from '../domain/operations/operations.ts'
import type { Organizations } from '../domain/organizations/organizations.ts'
import type { OrganizationSandboxes } from '../domain/practices/organization-sandbox.ts'
import type { PracticeData } from '../domain/practices/practice-data.ts'
import type { ProductionKeys } from '../domain/production-keys/production-keys.ts'
import type { CreateRecord } from '../domain/records/create-record.ts'
import type { RegistrationServices } from '../domain/registrations/registrations.ts'
import type { Status } from '../domain/status/status.ts'
import type { ExplorerHistory } from '../lab/explorer/explorer-history.ts'
import type { ExplorerKeys } from '../lab/explorer/explorer-keys.ts'
import type { ExplorerTokens } from '../lab/explorer/explorer-tokens.ts'
import type { FaultAdmin } from '../lab/faults/fault-admin.ts'
import type { LaunchLab } from '../lab/launches/launch-lab.ts'
import type { Sandbox } from '../lab/sandbox/sandbox.ts'
import type { Mail } from '../mail/mail.ts'
import type { Probes } from '../status/probes/probes.ts'

/** The services that jobs call. */
export type JobServices = {
  appUrl: string
  clock: () => Date
  log: Logger
  accessLog: Pick<AccessLog, 'forgetOld'>
  accounts: Accounts
  activityLog: ActivityLog
  keys: Keys
  explorerKeys: Pick<ExplorerKeys, 'tidyKeys'>
  explorerTokens: Pick<ExplorerTokens, 'tidyTokens'>
  explorerHistory: Pick<ExplorerHistory, 'forgetOld'>
  faultAdmin: Pick<FaultAdmin, 'forgetOld'>
  launchLab: Pick<LaunchLab, 'forgetOld'>
  mail: Mail
  operations: {
    audit: Pick<Operations['audit'], 'checkChainDaily'>
    jobs: Pick<Operations['jobs'], 'deleteGivenUp'>
  }
  organizations: Organizations
  sandboxes: OrganizationSandboxes
  practiceData: PracticeData
  records: CreateRecord
  pendingAuthorizations: Pick<PendingRequests, 'deleteExpired'>
  tokens: Pick<Tokens, 'deleteExpired'>
  exportRuns: ExportRuns
  exportSettings: { folder: string; fileBytesMax: number; gzip: boolean }
  registrations: Pick<RegistrationServices, 'enable' | 'tick' | 'sendDigest'>
  productionKeys: Pick<ProductionKeys, 'tick'>
  agreements: Pick<Agreements, 'tick'>
  sandbox: Pick<Sandbox, 'changes' | 'runs'>
  status: Status
  store: {
    reindex(options: {
      withinMs: number
      batchSize: number
    }): Promise<{ renewed: number; refused: readonly string[] }>
  }
  probes: Probes
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
