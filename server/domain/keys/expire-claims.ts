/** Tick: claim links whose 72 hours are over. One transaction a request, so that a kill loses nothing. */
import { sandboxKeyWorkflow } from '../../contract/workflows/workflows.ts'
import { reissuesLeft } from './claims.ts'
import type { KeyDependencies } from './dependencies.ts'

export function createExpireClaims({ prisma, mail, portalAudit }: KeyDependencies) {
  return async function expireClaims(now: Date): Promise<number> {
    const due = await prisma.sandboxKeyRequest.findMany({
      where: { state: 'ready_to_claim', claimExpiresAt: { lte: now } },
      include: { requestedBy: true },
      orderBy: { claimExpiresAt: 'asc' },
      take: 200,
    })
    let expired = 0
    for (const request of due) {
      await prisma.$transaction(async (tx) => {
        const moved = await tx.sandboxKeyRequest.updateMany({
          where: { id: request.id, state: 'ready_to_claim', version: request.version },
          data: {
            state: sandboxKeyWorkflow.next('ready_to_claim', 'claim_lapse'),
            version: { increment: 1 },
            updatedAt: now,
          },
        })
        if (moved.count === 0) return
        expired += 1
        await portalAudit.append(tx, {
          ...portalAudit.system(),
          organizationId: request.organizationId,
          practiceId: request.practiceId ?? undefined,
          action: 'sandbox_key.claim_expired',
          subject: { kind: 'sandbox_key_request', id: request.id },
          detail: { reissues: request.reissues },
        })
        await mail.enqueue(tx, {
          template: 'key-claim-expired',
          to: request.requestedBy.email,
          props: {
            name: request.requestedBy.name,
            keyName: request.name,
            reissuesLeft: reissuesLeft(request.reissues),
            requestId: request.id,
          },
          threadId: request.id,
        })
      })
    }
    return expired
  }
}
