/** Revocation: from the answer on, no request with the key is served, at any process (decision 0006). */
import { Problem } from '../../contract/http/problems.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { isCleanText, leftOutReason } from '../text-scan/check-text.ts'
import { getOwnedKey } from './owned-key.ts'

/**
 * Revoking twice is one revocation.
 * @throws Problem `not_found` (no such key in an organization of the actor), `forbidden` (viewers)
 */
export async function revoke(
  { prisma, clock, portalAudit, mail }: Core,
  { keyId, reason: typed }: { keyId: string; reason?: string },
  actor: Actor,
): Promise<{ kind: 'revoked' | 'already_ended' }> {
  const reason = toKeep(typed)
  const key = await getOwnedKey(prisma, { keyId, accountId: actor.accountId }, 'manage')
  const { organizationId } = key
  if (key.productionRequestId !== null)
    throw new Problem('conflict', {
      message: 'Revoke a production key on its own page, where the practice is notified.',
    })
  return prisma.$transaction(async (tx) => {
    const now = clock()
    const ended = await tx.apiKey.updateMany({
      where: { id: keyId, revokedAt: null, expiresAt: { gt: now } },
      data: { revokedAt: now, revokedById: actor.accountId, revokeReason: reason },
    })
    if (ended.count === 0) return { kind: 'already_ended' as const }
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId,
      practiceId: key.practiceId,
      action: 'api_key.revoked',
      subject: { kind: 'api_key', id: keyId },
      detail: { prefix: key.prefix, reason: reason },
    })
    const creator = await tx.account.findUniqueOrThrow({ where: { id: key.createdById } })
    const revoker = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
    await mail.enqueue(tx, {
      template: 'key-revoked',
      to: creator.email,
      props: {
        name: creator.name,
        keyName: key.name,
        prefixStart: key.prefix.slice(4),
        at: now.toISOString(),
        by: revoker.name,
        reason: reason,
        requestId: key.requestId ?? key.id,
      },
      threadId: key.requestId ?? undefined,
      correlationId: actor.correlationId,
    })
    return { kind: 'revoked' as const }
  })
}

/** A revocation is urgent and never waits for better words: what must not be kept or mailed is left out of them. */
function toKeep(reason = ''): string | null {
  const line = reason.replace(/\p{Cc}+/gu, ' ').trim()
  return isCleanText(line) ? line || null : leftOutReason
}
