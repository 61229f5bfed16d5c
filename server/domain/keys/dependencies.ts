/** What the functions of a key are made with. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { ActivityLog } from '../../audit/activity-log.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { Sessions } from '../../auth/sessions.ts'
import type { Env } from '../../env.ts'
import type { JobQueue } from '../../mail/job-queue.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Throttle } from '../accounts/throttle.ts'
import type { SandboxTerms } from '../agreements/sandbox-terms.ts'
import type { LinkTokens } from '../link-tokens/link-tokens.ts'
import type { OrganizationSandboxes } from '../practices/organization-sandbox.ts'
import type { FollowRotation } from '../production-keys/rotation.ts'

export type KeyDependencies = {
  prisma: PrismaClient
  clock: () => Date
  env: Env
  mail: Mail
  jobs: JobQueue
  portalAudit: PortalAudit
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
