/** What the functions of a key are made with. */
import type { ActivityLog } from '../../audit/activity-log.ts'
import type { Sessions } from '../../auth/sessions.ts'
import type { Env } from '../../env.ts'
import type { JobQueue } from '../../mail/job-queue.ts'
import type { SandboxTerms } from '../agreements/sandbox-terms.ts'
import type { LinkTokens, OrganizationSandboxes, Throttle } from '../bound.ts'
import type { FollowRotation } from '../production-keys/rotation.ts'
import type { Core } from '../workflow/engine.ts'

export type KeyDependencies = Core & {
  env: Env
  jobs: JobQueue
  linkTokens: LinkTokens
  sessions: Pick<Sessions, 'isStepUpFresh'>
  sandboxTerms: SandboxTerms
  sandboxes: OrganizationSandboxes
  activityLog: ActivityLog
  throttle: Throttle
  /** What a rotation is for the request of a production key; in the rotation's own transaction. */
  followRotation: FollowRotation
  /** Cryptographically strong bytes; handed in so that tests can force a collision. */
  randomBytes: (size: number) => Uint8Array
}
