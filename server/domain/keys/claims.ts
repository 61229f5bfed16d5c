/**
 * Claims of sandbox keys. The secret is created when it is revealed (signed in, by POST, with a password entered in the
 * last ten minutes). It is returned once and stored only as a SHA-256 (workflows §3).
 */
import { createHash } from 'node:crypto'
import type { Prisma, SandboxKeyRequest } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/http/limits.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { makeKey, prefixOf } from '../../contract/keys/key-format.ts'
import { paths } from '../../contract/portal/paths.ts'
import { maskEmail } from '../accounts/mask-email.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { findRole, lockOrganization } from '../organizations/membership.ts'
import { transact } from '../workflow/engine.ts'
import { refuseOverLimit } from './key-limit.ts'
import { transition, transitionIn } from './transition.ts'

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
  /** The complete key. Only this result contains it. */
  key: string
  prefix: string
  name: string
  level: 'read_only' | 'full'
  organizationSlug: string
  expiresAt: Date
  practice: { slug: string; name: string }
  baseUrl: string
}

export type ClaimHandle = { token: string } | { requestId: string }

/** The state of a claim, for the person who opened the link or the list of keys. */
export async function findClaim(
  core: Core,
  handle: ClaimHandle & { accountId?: string },
): Promise<LiveClaim | ClaimRefusal> {
  const { prisma, clock } = core
  const found = await findClaimed(core, handle, 'claim_key', (id) =>
    prisma.sandboxKeyRequest.findUnique({ where: { id }, include: claimIncludes }),
  )
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
  return claimOf(request, { replaced, now: clock(), reissuesMax: limits.claimReissues })
}

type Claimable = Pick<
  SandboxKeyRequest,
  'id' | 'name' | 'level' | 'state' | 'revealedAt' | 'claimExpiresAt' | 'reissues'
> &
  Readonly<{ organization: { slug: string }; practice: { name: string } | null }>

/** The state of a claim, for a person who may make it; for sandbox and production keys. */
export function claimOf(
  { state, claimExpiresAt, practice, ...row }: Claimable,
  { replaced, now, reissuesMax }: { replaced: boolean; now: Date; reissuesMax: number },
): LiveClaim | ClaimRefusal {
  if (row.revealedAt) return { kind: 'used', revealedAt: row.revealedAt }
  if (replaced) return { kind: 'replaced' }
  if (state !== 'ready_to_claim' && state !== 'claim_expired') return { kind: 'unknown' }
  if (state === 'claim_expired' || !claimExpiresAt || claimExpiresAt <= now || !practice)
    return { kind: 'expired', requestId: row.id, reissuesLeft: Math.max(0, reissuesMax - row.reissues) }
  return {
    kind: 'live',
    requestId: row.id,
    name: row.name,
    level: row.level,
    organizationSlug: row.organization.slug,
    practiceName: practice.name,
    claimExpiresAt,
  }
}

/** Finds the request of a claim link, or by its id. */
export async function findClaimed<Row>(
  core: Core,
  handle: ClaimHandle,
  kind: 'claim_key' | 'claim_production_key',
  find: (id: string) => Promise<Row | null>,
): Promise<{ request: Row; replaced: boolean } | null> {
  const link = 'token' in handle ? await linkTokens.check(core, handle.token, kind) : null
  if (link?.kind === 'unknown') return null
  const id = link ? link.link.subjectId : 'requestId' in handle ? handle.requestId : null
  const request = id && uuidPattern.test(id) ? await find(id) : null
  return request && { request, replaced: Boolean(link?.link.replacedAt) }
}

/** The parts of a request that its claim shows. */
export const claimIncludes = { requestedBy: true, practice: true, organization: true } as const

/** Creates the key and returns it once. Of two concurrent requests one gets the key, the other `used`. */
export async function reveal(
  core: Core,
  handle: ClaimHandle,
  actor: Actor,
): Promise<RevealedKey | { kind: 'step_up_needed' } | ClaimRefusal> {
  const { sessions, randomBytes, env } = core
  const claim = await findClaim(core, { ...handle, accountId: actor.accountId })
  if (claim.kind !== 'live') return claim
  if (!sessions.isStepUpFresh(actor)) return { kind: 'step_up_needed' }
  const key = makeKey('sandbox', randomBytes)
  let revealed: Awaited<ReturnType<typeof revealNow>>
  try {
    revealed = await revealNow(core, claim.requestId, key, actor)
  } catch (thrown) {
    if (!isConflict(thrown)) throw thrown
    return findClaimAgain(core, { ...handle, accountId: actor.accountId })
  }
  return {
    kind: 'revealed',
    key,
    prefix: revealed.prefix,
    name: revealed.name,
    level: revealed.level,
    organizationSlug: claim.organizationSlug,
    expiresAt: revealed.expiresAt,
    practice: { slug: revealed.practice.slug, name: revealed.practice.name },
    baseUrl: `${env.REST_ORIGIN}/sandbox/api/v1`,
  }
}

/** Makes the step and creates the key's row. */
async function revealNow(core: Core, requestId: string, key: string, actor: Actor) {
  const { prisma } = core
  const prefix = prefixOf(key)
  await transition(core, { requestId }, 'reveal', actor, {
    guards: {
      link_open: ({ row, now }) => {
        if (isOver(row, now)) throw new Problem('conflict')
      },
    },
    effects: async ({ tx, row, now }) => {
      if (row.practiceId === null) throw new Error('a claimable request without a practice')
      const { level, name, practiceId, organizationId } = row
      const expiresAt = new Date(now.getTime() + limits.keyDays * 86_400_000)
      const { id } = await tx.apiKey.create({
        data: {
          prefix,
          secretHash: createHash('sha256').update(key).digest(),
          name,
          level,
          environment: 'sandbox',
          practiceId,
          organizationId,
          requestId,
          createdById: actor.accountId,
          createdAt: now,
          expiresAt,
        },
      })
      await linkTokens.consumeAll(tx, { kind: 'claim_key', subjectId: requestId, now })
      return {
        data: { revealedAt: now },
        detail: { prefix, level, requestId },
        auditSubject: { kind: 'api_key', id },
        emails: () => ({
          'key-revealed': {
            prefixStart: prefix.slice(4),
            at: now.toISOString(),
            ip: actor.ip,
            expiresAt: expiresAt.toISOString(),
          },
        }),
      }
    },
  })
  return prisma.apiKey.findUniqueOrThrow({ where: { prefix }, include: { practice: true } })
}

/** Reads the claim again after another request has revealed the key. */
async function findClaimAgain(core: Core, handle: ClaimHandle & { accountId: string }) {
  const claim = await findClaim(core, handle)
  if (claim.kind === 'live')
    throw new Problem('conflict', { message: 'Someone else is claiming this key. Try again.' })
  return claim
}

/**
 * Sends a new link for an expired one, three times at most.
 * @throws Problem `conflict` if the organization has reached its limit since, `forbidden`, `not_found`
 */
export async function reissueClaim(
  core: Core,
  { requestId }: { requestId: string },
  actor: Actor,
): Promise<{ kind: 'sent'; reissuesLeft: number } | { kind: 'none_left' } | { kind: 'not_expired' }> {
  const claim = await findClaim(core, { requestId, accountId: actor.accountId })
  if (claim.kind === 'unknown') throw new Problem('not_found')
  if (claim.kind !== 'expired') return { kind: 'not_expired' }
  if (claim.reissuesLeft === 0) return { kind: 'none_left' }
  try {
    const { row } = await reissueNow(core, requestId, actor)
    return { kind: 'sent', reissuesLeft: reissuesLeft(row.reissues) }
  } catch (thrown) {
    // A concurrent request may have sent the link.
    const again = await findClaim(core, { requestId, accountId: actor.accountId })
    if (isConflict(thrown) && again.kind !== 'expired') return { kind: 'not_expired' }
    throw thrown
  }
}

function reissueNow(core: Core, requestId: string, actor: Actor) {
  return transact(core, async (tx) => {
    const request = await tx.sandboxKeyRequest.findUniqueOrThrow({ where: { id: requestId } })
    const { organizationId } = request
    await lockOrganization(tx, organizationId)
    return transitionIn(core, tx, { requestId }, 'reissue', actor, {
      guards: {
        link_over: ({ row, now }) => {
          if (!isOver(row, now) || reissuesLeft(row.reissues) === 0) throw new Problem('conflict')
        },
        // An expired request does not count toward the limit, so the limit is checked again.
        room_again: ({ row, now }) => {
          if (reissuesLeft(row.reissues) === 0) throw new Problem('conflict')
          return refuseOverLimit(tx, { organizationId, now })
        },
      },
      effects: ({ row, now }) => ({
        data: { reissues: { increment: 1 }, claimExpiresAt: claimEnd(now) },
        detail: { reissues: row.reissues + 1 },
        emails: async (changed) => ({ 'key-claim': await issueClaimLink(core, tx, changed, now) }),
      }),
    })
  })
}

function isOver({ claimExpiresAt }: Pick<SandboxKeyRequest, 'claimExpiresAt'>, now: Date): boolean {
  return claimExpiresAt === null || claimExpiresAt <= now
}

function isConflict(thrown: unknown): boolean {
  return isProblem(thrown) && thrown.kind === 'conflict'
}

// A claim link works once. A newer link of the same request replaces it.

/** @returns the props of the email with the link */
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
