/** Ends a grant: one conditional UPDATE, from whose commit on no token of it is served at any process. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { AuditActor, PortalAudit } from '../../audit/portal-audit.ts'

export type RevokeReason = 'person' | 'practice' | 'app' | 'code_replay' | 'refresh_reuse'

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
  { grantId, practiceId, clientId, reason, by, now }: Revocation,
): Promise<boolean> {
  const { count } = await tx.grant.updateMany({
    where: { id: grantId, revokedAt: null },
    data: { revokedAt: now, revokeReason: reason },
  })
  if (count === 0) return false
  await portalAudit.append(tx, {
    ...by,
    practiceId,
    action: 'grant.revoked',
    subject: { kind: 'grant', id: grantId },
    detail: { clientId, reason },
  })
  return true
}
