/** How many sandbox keys an organization may have: live ones and those that can still be claimed count together. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'

/** Asked for and not ended: each may still become a key. */
const pendingStates = ['requested', 'manual_review', 'needs_info', 'approved', 'ready_to_claim'] as const

/**
 * @param db under the organization's lock where the answer must hold until something is written
 * @throws Problem `forbidden` (blocked organization), `conflict` (no room for one more)
 */
export async function refuseOverLimit(
  db: Prisma.TransactionClient,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<void> {
  await refuseBlocked(db, organizationId)
  const live = await db.apiKey.count({
    // One in its grace is counted by its successor.
    where: {
      organizationId,
      environment: 'sandbox',
      explorer: false,
      revokedAt: null,
      rotatedAt: null,
      expiresAt: { gt: now },
    },
  })
  const pending = await db.sandboxKeyRequest.count({
    where: { organizationId, state: { in: [...pendingStates] } },
  })
  const most = limits.sandboxKeysPerOrganization
  if (live + pending < most) return
  throw new Problem('conflict', {
    message: `An organization has at most ${most} sandbox keys at a time, counting those waiting to be claimed. Revoke one you no longer use.`,
  })
}

/** @throws Problem `forbidden` */
export async function refuseBlocked(db: Prisma.TransactionClient, organizationId: string): Promise<void> {
  const { blockedAt } = await db.organization.findUniqueOrThrow({ where: { id: organizationId } })
  if (blockedAt) throw new Problem('forbidden', { message: 'This organization can’t request keys.' })
}
