/** The single-use link with which a key is claimed; an older link of the same request stops working. */
import type { Prisma, SandboxKeyRequest } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/http/limits.ts'
import { paths } from '../../contract/portal/paths.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'

/** What the email with the link says. */
export async function issueClaimLink(
  core: Core,
  tx: Prisma.TransactionClient,
  request: SandboxKeyRequest,
  now: Date,
) {
  const { id: subjectId, requestedById: accountId, level, practiceId, reissues } = request
  const expiresAt = request.claimExpiresAt ?? claimEnd(now)
  const token = await linkTokens.issue(core, tx, { kind: 'claim_key', accountId, subjectId, expiresAt, now })
  const practice = await tx.practice.findUnique({ where: { id: practiceId ?? '' }, select: { name: true } })
  return {
    level,
    practiceName: practice?.name ?? '',
    expiresAt: expiresAt.toISOString(),
    again: reissues > 0,
    links: { claimUrl: paths.claimKey(token) },
  }
}

/** Claim links live 72 hours. */
export function claimEnd(now: Date): Date {
  return new Date(now.getTime() + limits.claimLinkHours * 3_600_000)
}

export function reissuesLeft(reissues: number): number {
  return Math.max(0, limits.claimReissues - reissues)
}
