/** What the steps of a production key are given. */
import type { ActivityLog } from '../../audit/activity-log.ts'
import type { PracticeStatusObject } from '../../contract/status/records.ts'
import type { Env } from '../../env.ts'
import type { Agreements } from '../agreements/agreement-types.ts'
import type { LinkTokens } from '../bound.ts'
import type { Core } from '../workflow/engine.ts'

export type ProductionDependencies = Core & {
  env: Pick<Env, 'BUSINESS_TZ' | 'REST_ORIGIN'>
  linkTokens: LinkTokens
  activityLog: ActivityLog
  agreements: Pick<
    Agreements,
    'offer' | 'inForce' | 'covering' | 'withdrawOpen' | 'openReturnTask' | 'listForRequest'
  >
  /** What the public status API answers about a practice. */
  practiceStatus: (id: string) => Promise<PracticeStatusObject>
  randomBytes: (size: number) => Uint8Array
}
