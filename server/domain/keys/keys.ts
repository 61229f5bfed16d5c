/** A key's life in the sandbox: asked for, provided, claimed, listed, revoked (workflows §3). */
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
import { createClaims } from './claims.ts'
import { createExpireClaims } from './expire-claims.ts'
import { createKeyActivity } from './key-activity.ts'
import { createKeyDoctor } from './key-doctor.ts'
import { createKeyExpiry } from './key-expiry.ts'
import { createKeyLimitGrants } from './key-limit-grants.ts'
import { createKeyList } from './key-list.ts'
import { createKeyMcpWrites } from './key-mcp-writes.ts'
import { createKeyNetworks } from './key-networks.ts'
import { createKeyRequests } from './key-requests.ts'
import { createKeyReview } from './key-review.ts'
import { createLeakReport } from './leak-report.ts'
import { createMailDrafts } from './mail-drafts.ts'
import { createRevokeKey } from './revoke-key.ts'
import { createRotation } from './rotate-key.ts'

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

export function createKeys(dependencies: KeyDependencies) {
  const requests = createKeyRequests(dependencies)
  return {
    ...requests,
    ...createMailDrafts(dependencies, requests.requestSandboxKey),
    ...createKeyReview(dependencies),
    diagnose: createKeyDoctor(dependencies),
    reportLeak: createLeakReport(dependencies),
    ...createClaims(dependencies),
    ...createKeyList(dependencies),
    ...createKeyActivity(dependencies),
    ...createRotation(dependencies),
    ...createKeyExpiry(dependencies),
    ...createKeyLimitGrants(dependencies),
    setNetworks: createKeyNetworks(dependencies),
    setMcpWrites: createKeyMcpWrites(dependencies),
    revoke: createRevokeKey(dependencies),
    expireClaims: createExpireClaims(dependencies),
  }
}

export type Keys = ReturnType<typeof createKeys>
