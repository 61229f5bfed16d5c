/**
 * Claiming a key: the secret is made at the moment of reveal (signed in, POST, password at most ten minutes
 * old), answered once and kept only as a SHA-256 (workflows §3).
 */
import { createHash } from 'node:crypto'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { makeKey, prefixOf } from '../../contract/keys/key-format.ts'
import { sandboxKeyWorkflow } from '../../contract/workflows/workflows.ts'
import { maskEmail } from '../accounts/mask-email.ts'
import type { Actor } from '../actor.ts'
import { findRole, lockOrganization } from '../organizations/membership.ts'
import { sendClaimLink } from './claim-link.ts'
import type { KeyDependencies } from './dependencies.ts'
import { refuseBlocked, refuseOverLimit } from './key-limit.ts'
import { claimEnd } from './key-requests.ts'

const mayClaim = ['developer', 'admin', 'owner'] as const

export type ClaimRefusal =
  | { kind: 'sign_in_first' }
  | { kind: 'other_account'; maskedEmail: string }
  | { kind: 'expired'; requestId: string; reissuesLeft: number }
  | { kind: 'used'; revealedAt: Date }
  /** A newer link was sent for the same key. */
  | { kind: 'replaced' }
  | { kind: 'unknown' }

export type LiveClaim = {
  kind: 'live'
  requestId: string
  name: string
  level: 'read_only' | 'full'
  organizationSlug: string
  practiceName: string
  claimExpiresAt: Date
}

export type RevealedKey = {
  kind: 'revealed'
  /** The whole key. It exists in this answer only. */
  key: string
  prefix: string
  name: string
  level: 'read_only' | 'full'
  /** Whose key it is. */
  organizationSlug: string
  expiresAt: Date
  practice: { slug: string; name: string }
  baseUrl: string
}

export function createClaims(dependencies: KeyDependencies) {
  const { prisma, clock, mail, portalAudit, linkTokens, randomBytes, sessions, env } = dependencies

  type ClaimHandle = { token: string } | { requestId: string }

  /** What stands behind a claim link (or a row of the key list), for the person who opened it. */
  async function findClaim(handle: ClaimHandle & { accountId?: string }): Promise<LiveClaim | ClaimRefusal> {
    const found = await findRequest(handle)
    if (!found) return { kind: 'unknown' }
    const { request, replaced } = found
    if (!handle.accountId) return { kind: 'sign_in_first' }
    const role = await findRole(prisma, {
      organizationId: request.organizationId,
      accountId: handle.accountId,
    })
    if (!role || !mayClaim.some((allowed) => allowed === role)) {
      if (!('token' in handle)) return { kind: 'unknown' }
      return { kind: 'other_account', maskedEmail: maskEmail(request.requestedBy.email) }
    }
    if (request.revealedAt) return { kind: 'used', revealedAt: request.revealedAt }
    if (replaced) return { kind: 'replaced' }
    const live =
      request.state === 'ready_to_claim' &&
      request.claimExpiresAt &&
      request.claimExpiresAt > clock() &&
      request.practice
    if (!live || !request.claimExpiresAt || !request.practice) {
      if (request.state !== 'ready_to_claim' && request.state !== 'claim_expired') return { kind: 'unknown' }
      return { kind: 'expired', requestId: request.id, reissuesLeft: reissuesLeft(request.reissues) }
    }
    return {
      kind: 'live',
      requestId: request.id,
      name: request.name,
      level: request.level,
      organizationSlug: request.organization.slug,
      practiceName: request.practice.name,
      claimExpiresAt: request.claimExpiresAt,
    }
  }

  async function findRequest(handle: ClaimHandle) {
    const include = { requestedBy: true, practice: true, organization: true } as const
    const link = 'token' in handle ? await linkTokens.check(handle.token, 'claim_key') : null
    if (link?.kind === 'unknown') return null
    const id = link ? link.link.subjectId : 'requestId' in handle ? handle.requestId : null
    if (!id || !uuidPattern.test(id)) return null
    const request = await prisma.sandboxKeyRequest.findUnique({ where: { id }, include })
    return request ? { request, replaced: Boolean(link?.link.replacedAt) } : null
  }

  /**
   * Makes the key and answers it, once. Of two at the same moment one gets the key, the other `used`.
   * @throws Problem `forbidden` when the organization was blocked meanwhile
   */
  async function reveal(
    handle: ClaimHandle,
    actor: Actor,
  ): Promise<RevealedKey | { kind: 'step_up_needed' } | ClaimRefusal> {
    const claim = await findClaim({ ...handle, accountId: actor.accountId })
    if (claim.kind !== 'live') return claim
    if (!sessions.isStepUpFresh(actor)) return { kind: 'step_up_needed' }
    const key = makeKey('sandbox', randomBytes)
    const revealed = await prisma.$transaction(async (tx) => {
      const now = clock()
      const moved = await tx.sandboxKeyRequest.updateMany({
        where: { id: claim.requestId, state: 'ready_to_claim', claimExpiresAt: { gt: now } },
        data: {
          state: sandboxKeyWorkflow.next('ready_to_claim', 'reveal'),
          version: { increment: 1 },
          revealedAt: now,
          updatedAt: now,
        },
      })
      if (moved.count === 0) return null
      const request = await tx.sandboxKeyRequest.findUniqueOrThrow({
        where: { id: claim.requestId },
        include: { practice: true, requestedBy: true },
      })
      if (!request.practice) throw new Error('a claimable request without a practice')
      await refuseBlocked(tx, request.organizationId)
      const expiresAt = new Date(now.getTime() + limits.keyDays * 86_400_000)
      const row = await tx.apiKey.create({
        data: {
          prefix: prefixOf(key),
          secretHash: createHash('sha256').update(key).digest(),
          name: request.name,
          level: request.level,
          environment: 'sandbox',
          practiceId: request.practice.id,
          organizationId: request.organizationId,
          requestId: request.id,
          createdById: actor.accountId,
          createdAt: now,
          expiresAt,
        },
      })
      await linkTokens.consumeAll(tx, { kind: 'claim_key', subjectId: request.id, now })
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        organizationId: request.organizationId,
        practiceId: request.practice.id,
        action: 'sandbox_key.revealed',
        subject: { kind: 'api_key', id: row.id },
        detail: { prefix: row.prefix, level: row.level, requestId: request.id },
      })
      await mail.enqueue(tx, {
        template: 'key-revealed',
        to: request.requestedBy.email,
        props: {
          name: request.requestedBy.name,
          keyName: request.name,
          prefixStart: row.prefix.slice(4),
          at: now.toISOString(),
          ip: actor.ip,
          expiresAt: expiresAt.toISOString(),
          requestId: request.id,
        },
        threadId: request.id,
        correlationId: actor.correlationId,
      })
      return { request, practice: request.practice, expiresAt, prefix: row.prefix }
    })
    if (!revealed) return findClaimAgain({ ...handle, accountId: actor.accountId })
    return {
      kind: 'revealed',
      key,
      prefix: revealed.prefix,
      name: revealed.request.name,
      level: revealed.request.level,
      organizationSlug: claim.organizationSlug,
      expiresAt: revealed.expiresAt,
      practice: { slug: revealed.practice.slug, name: revealed.practice.name },
      baseUrl: `${env.REST_ORIGIN}/sandbox/api/v1`,
    }
  }

  /** After losing a race the claim cannot be live any more. */
  async function findClaimAgain(handle: ClaimHandle & { accountId: string }): Promise<ClaimRefusal> {
    const claim = await findClaim(handle)
    if (claim.kind === 'live')
      throw new Problem('conflict', { message: 'Somebody else is claiming this key. Try again.' })
    return claim
  }

  /**
   * A new link in place of one that expired; three times at most.
   * @throws Problem `conflict` when the organization has asked for other keys since, `forbidden`, `not_found`
   */
  async function reissueClaim(
    { requestId }: { requestId: string },
    actor: Actor,
  ): Promise<{ kind: 'sent'; reissuesLeft: number } | { kind: 'none_left' } | { kind: 'not_expired' }> {
    const claim = await findClaim({ requestId, accountId: actor.accountId })
    if (claim.kind === 'unknown') throw new Problem('not_found')
    if (claim.kind !== 'expired') return { kind: 'not_expired' }
    if (claim.reissuesLeft === 0) return { kind: 'none_left' }
    return prisma.$transaction(async (tx) => {
      const now = clock()
      const claimExpiresAt = claimEnd(now)
      await makeRoom(tx, requestId, now)
      const used = limits.claimReissues - claim.reissuesLeft
      const moved = await tx.sandboxKeyRequest.updateMany({
        where: {
          id: requestId,
          state: { in: ['ready_to_claim', 'claim_expired'] },
          reissues: used,
          revealedAt: null,
        },
        data: {
          state: sandboxKeyWorkflow.next('claim_expired', 'reissue'),
          version: { increment: 1 },
          reissues: { increment: 1 },
          claimExpiresAt,
          updatedAt: now,
        },
      })
      if (moved.count === 0) return { kind: 'not_expired' as const } // asked for twice at once
      const request = await tx.sandboxKeyRequest.findUniqueOrThrow({
        where: { id: requestId },
        include: { requestedBy: true, practice: true },
      })
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        organizationId: request.organizationId,
        practiceId: request.practiceId ?? undefined,
        action: 'sandbox_key.claim_reissued',
        subject: { kind: 'sandbox_key_request', id: requestId },
        detail: { reissues: request.reissues },
      })
      await sendClaimLink(tx, dependencies, {
        request: { ...request, claimExpiresAt },
        practiceName: request.practice?.name ?? '',
        now,
        correlationId: actor.correlationId,
      })
      return { kind: 'sent' as const, reissuesLeft: reissuesLeft(request.reissues) }
    })
  }

  /** An expired request does not count against the limit, so that bringing it back asks for room again. */
  async function makeRoom(tx: Prisma.TransactionClient, requestId: string, now: Date): Promise<void> {
    const { organizationId, state } = await tx.sandboxKeyRequest.findUniqueOrThrow({
      where: { id: requestId },
    })
    await lockOrganization(tx, organizationId)
    if (state === 'claim_expired') await refuseOverLimit(tx, { organizationId, now })
    else await refuseBlocked(tx, organizationId)
  }

  return { findClaim, reveal, reissueClaim }
}

export function reissuesLeft(reissues: number): number {
  return Math.max(0, limits.claimReissues - reissues)
}
