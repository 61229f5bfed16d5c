/** A key's life in the sandbox: asked for, provided, claimed, listed, revoked (workflows §3). */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { ActivityLog } from '../../audit/activity-log.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { Sessions } from '../../auth/sessions.ts'
import type { Env } from '../../env.ts'
import type { JobQueue } from '../../mail/job-queue.ts'
import type { Mail } from '../../mail/mail.ts'
import type { SandboxTerms } from '../agreements/sandbox-terms.ts'
import type { LinkTokens } from '../link-tokens/link-tokens.ts'
import type { OrganizationSandboxes } from '../practices/organization-sandbox.ts'
import { createClaims } from './claims.ts'
import { createExpireClaims } from './expire-claims.ts'
import { createKeyList } from './key-list.ts'
import { createKeyRequests } from './key-requests.ts'
import { createRevokeKey } from './revoke-key.ts'

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
  /** Cryptographically strong bytes; handed in so that tests can force a collision. */
  randomBytes: (size: number) => Uint8Array
}

export function createKeys(dependencies: KeyDependencies) {
  return {
    ...createKeyRequests(dependencies),
    ...createClaims(dependencies),
    ...createKeyList(dependencies),
    revoke: createRevokeKey(dependencies),
    expireClaims: createExpireClaims(dependencies),
  }
}

export type Keys = ReturnType<typeof createKeys>
