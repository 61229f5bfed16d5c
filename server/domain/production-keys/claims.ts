/**
 * Claims of production keys. The secret is created when the requester reveals it (signed in, by POST, with a password
 * entered in the last ten minutes). It is returned once and stored only as a SHA-256. Every document must be in force.
 */
import { createHash } from 'node:crypto'
import type { ApiKey, Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import { makeKey, prefixOf } from '../../contract/keys/key-format.ts'
import { findMissingProof } from '../../contract/portal/step-up.ts'
import { productionKeyTimes } from '../../contract/workflows/production-key-workflow.ts'
import { maskEmail } from '../accounts/mask-email.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import {
  type ClaimHandle,
  type ClaimRefusal,
  claimIncludes,
  claimOf,
  findClaimed,
  type LiveClaim,
  type RevealedKey,
} from '../keys/claims.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { findRole } from '../organizations/membership.ts'
import { agreementsValidUntil, readFacts, requireActivePractice, requireFacts } from './facts.ts'
import { openClaim } from './open-claim.ts'
import { requireGoesOn } from './renewed-access.ts'
import { type Context, type Effects, type RequestTarget, transition } from './transition.ts'

const dayMs = 86_400_000
const { claimReissuesMax } = productionKeyTimes

/** The state of a claim, for the person who opened the link or the request's page. */
export async function findClaim(
  core: Core,
  handle: ClaimHandle & { accountId?: string },
): Promise<(LiveClaim & { termDays: number }) | ClaimRefusal> {
  const { prisma, clock } = core
  const found = await findClaimed(core, handle, 'claim_production_key', (id) =>
    prisma.productionKeyRequest.findUnique({ where: { id }, include: claimIncludes }),
  )
  if (!found) return { kind: 'unknown' }
  const { request: row, replaced } = found
  if (!handle.accountId) return { kind: 'sign_in_first' }
  if (handle.accountId !== row.requestedById) {
    const { organizationId } = row
    const role = await findRole(prisma, { organizationId, accountId: handle.accountId })
    if (!('token' in handle) && !role) return { kind: 'unknown' }
    return { kind: 'other_account', maskedEmail: maskEmail(row.requestedBy.email) }
  }
  const claim = claimOf(row, { replaced, now: clock(), reissuesMax: claimReissuesMax })
  return claim.kind === 'live' ? { ...claim, termDays: row.termDays } : claim
}

/**
 * Creates the key and returns it once. Of two concurrent requests one gets the key, the other `used`.
 * @throws Problem `conflict` if a document is not in force, two keys are active already, or the renewed key was
 *   stopped
 */
export async function reveal(
  core: Core,
  handle: ClaimHandle,
  actor: Actor,
): Promise<RevealedKey | { kind: 'step_up_needed' } | ClaimRefusal> {
  const { clock, randomBytes, prisma, env } = core
  const claim = await findClaim(core, { ...handle, accountId: actor.accountId })
  if (claim.kind !== 'live') return claim
  if (findMissingProof(actor, clock())) return { kind: 'step_up_needed' }
  const key = makeKey('production', randomBytes)
  const prefix = prefixOf(key)
  let expiresAt = new Date(0)
  try {
    await transition(core, { requestId: claim.requestId }, 'reveal', actor, {
      guards: { claim_open: (context) => requireClaim(core, context, actor) },
      effects: (context) => {
        expiresAt = new Date(context.now.getTime() + context.row.termDays * dayMs)
        return makeRow(core, context, { key, prefix, expiresAt, actor })
      },
    })
  } catch (thrown) {
    const current = await findClaim(core, { ...handle, accountId: actor.accountId })
    if (current.kind !== 'live') return current
    throw thrown
  }
  const { practice } = await prisma.productionKeyRequest.findUniqueOrThrow({
    where: { id: claim.requestId },
    include: { practice: true },
  })
  return {
    kind: 'revealed',
    key,
    prefix,
    name: claim.name,
    level: claim.level,
    organizationSlug: claim.organizationSlug,
    expiresAt,
    practice: { slug: practice?.slug ?? '', name: claim.practiceName },
    baseUrl: `${env.REST_ORIGIN}/api/v1`,
  }
}

async function requireClaim(core: Core, { tx, row, now }: Context, actor: Actor): Promise<void> {
  if (row.requestedById !== actor.accountId || row.practiceId === null) throw new Problem('not_found')
  if (!row.claimExpiresAt || row.claimExpiresAt <= now) throw new Problem('conflict')
  await requireGoesOn(tx, row.renewsId)
  await requireActivePractice(tx, row.practiceId)
  requireFacts(await readFacts(core, tx, row, now))
  await requireRoom(tx, row, now)
}

async function makeRow(
  core: Core,
  { tx, row, party, now }: Context,
  claimed: { key: string; prefix: string; expiresAt: Date; actor: Actor },
): Promise<Effects<'reveal'>> {
  if (row.practiceId === null) throw new Problem('not_found')
  const facts = await readFacts(core, tx, row, now)
  const created = await tx.apiKey.create({
    data: {
      prefix: claimed.prefix,
      secretHash: createHash('sha256').update(claimed.key).digest(),
      name: row.name,
      level: row.level,
      environment: 'production',
      practiceId: row.practiceId,
      organizationId: row.organizationId,
      productionRequestId: row.id,
      agreementsValidUntil: agreementsValidUntil(facts),
      ...(await accessOf(tx, row)),
      narrowedFrom: now,
      createdById: claimed.actor.accountId,
      createdAt: now,
      expiresAt: claimed.expiresAt,
    },
  })
  await linkTokens.consumeAll(tx, { kind: 'claim_production_key', subjectId: row.id, now })
  return {
    data: {
      revealedAt: now,
      expiresAt: claimed.expiresAt,
      certifiedAt: row.renewsId === null ? now : row.sponsoredAt,
      openRenewalOfId: null,
    },
    detail: { keyId: created.id, prefix: claimed.prefix },
    emails: () => ({
      'production-revealed': {
        prefixStart: claimed.prefix.slice(4),
        at: now.toISOString(),
        by: party.name,
        expiresAt: claimed.expiresAt.toISOString(),
      },
    }),
  }
}

/**
 * The agreed access. A renewal leaves out what the practice has removed from the renewed key, and inherits its cap.
 */
async function accessOf(
  tx: Prisma.TransactionClient,
  { dataClasses, purposes, renewsId }: ProductionKeyRequest,
): Promise<Pick<ApiKey, 'dataClasses' | 'purposes' | 'capId'>> {
  if (renewsId === null) return { dataClasses, purposes, capId: null }
  // The lock orders this after or before a change by the practice, which changes the new key too.
  await tx.$queryRaw`SELECT 1 FROM portal.api_key WHERE production_request_id = ${renewsId}::uuid ORDER BY id FOR UPDATE`
  const before = await tx.apiKey.findFirst({
    where: { productionRequestId: renewsId },
    orderBy: { createdAt: 'desc' },
  })
  if (!before || before.narrowedFrom === null) return { dataClasses, purposes, capId: before?.capId ?? null }
  return {
    capId: before.capId,
    dataClasses: dataClasses.filter((dataClass) => before.dataClasses.includes(dataClass)),
    purposes: purposes.filter((purpose) => before.purposes.includes(purpose)),
  }
}

/** Sends a new link for an expired one, three times at most. */
export async function reissue(core: Core, target: RequestTarget, actor: Actor): Promise<void> {
  const { prisma, clock } = core
  const row = await prisma.productionKeyRequest.findUnique({ where: { id: rowId(target.requestId) } })
  if (row?.state === 'ready_to_claim' && row.claimExpiresAt && row.claimExpiresAt <= clock())
    await lapse(core, row).catch(() => undefined)
  await transition(core, { ...target, version: null }, 'reissue', actor, {
    guards: {
      reissues_left: ({ row: { requestedById, reissues } }) => {
        if (requestedById !== actor.accountId)
          throw new Problem('forbidden', { message: 'Only the person who requested the key can claim it.' })
        if (reissues >= claimReissuesMax)
          throw new Problem('conflict', {
            message: 'The link can’t be sent again. Submit a new request.',
          })
      },
    },
    effects: ({ tx, now }) => openClaim(core, tx, { data: { reissues: { increment: 1 } }, again: true, now }),
  })
}

export async function lapse(core: Core, row: ProductionKeyRequest): Promise<void> {
  await transition(core, { requestId: row.id, version: row.version }, 'claim_lapse', 'system', {
    effects: () => ({
      emails: (changed) => ({ 'production-claim-expired': { reissuesLeft: reissuesLeft(changed) } }),
    }),
  })
}

function reissuesLeft({ reissues }: Pick<ProductionKeyRequest, 'reissues'>): number {
  return Math.max(0, claimReissuesMax - reissues)
}

/** At most two keys may be active for one access and its renewals. */
async function requireRoom(tx: Prisma.TransactionClient, row: ProductionKeyRequest, now: Date) {
  if (row.renewsId === null) return
  const live = await tx.apiKey.count({
    where: { productionRequestId: row.renewsId, revokedAt: null, expiresAt: { gt: now } },
  })
  if (live >= 2)
    throw new Problem('conflict', {
      message: 'Two keys are already active. End the grace period of the rotated one first.',
    })
}
