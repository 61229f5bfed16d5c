/** Ends grants: one conditional UPDATE, from whose commit on no token of theirs is served at any process. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { AuditActor, PortalAudit } from '../../audit/portal-audit.ts'

type RevokeReason = 'person' | 'practice' | 'app' | 'code_replay' | 'refresh_reuse'

type Revocation = {
  grantId: string
  practiceId: string
  clientId: string
  reason: RevokeReason
  by: AuditActor
  now: Date
}

/** @returns false when it had ended already */
export async function revokeGrant(
  tx: Prisma.TransactionClient,
  portalAudit: PortalAudit,
  revocation: Revocation,
): Promise<boolean> {
  return revokeWhere(tx, portalAudit, revocation, { id: revocation.grantId })
}

/**
 * Every grant that a person gave an app at a practice, also those whose code was not exchanged yet.
 * @param revocation its `grantId` is the one that the audit row names
 * @returns false when all had ended already
 */
export async function revokePersonGrants(
  tx: Prisma.TransactionClient,
  portalAudit: PortalAudit,
  revocation: Revocation & { accountId: string },
): Promise<boolean> {
  const { clientId, practiceId, accountId } = revocation
  return revokeWhere(tx, portalAudit, revocation, { clientId, practiceId, accountId })
}

async function revokeWhere(
  tx: Prisma.TransactionClient,
  portalAudit: PortalAudit,
  { grantId, practiceId, clientId, reason, by, now }: Revocation,
  where: Prisma.GrantWhereInput,
): Promise<boolean> {
  const { count } = await tx.grant.updateMany({
    where: { ...where, revokedAt: null },
    data: { revokedAt: now, revokeReason: reason },
  })
  if (count === 0) return false
  await portalAudit.append(tx, {
    ...by,
    practiceId,
    action: 'grant.revoked',
    subject: { kind: 'grant', id: grantId },
    detail: { clientId, reason, ...(count > 1 && { grants: count }) },
  })
  return true
}
