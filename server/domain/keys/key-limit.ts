/** Custom limits of one key in place of the published ones. They apply from the next call on. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { prefixPattern } from '../../contract/keys/key-format.ts'
import { grantedLimitsMax } from '../../contract/keys/key-life.ts'
import { firstPage, type PageAsk, readPage, searchWhere } from '../../contract/portal/paging.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import { type Author, checkText } from '../text-scan/check-text.ts'

type LimitGrantInput = { prefix: string; burst: number; sustained: number; reason: string }

/**
 * Grants custom limits, in place of an earlier grant; for operations, with step-up.
 * @throws Problem `forbidden` (also step-up), `not_found` (no such key), `validation`
 */
export async function grantLimits(core: Core, input: LimitGrantInput, actor: Actor): Promise<void> {
  const { prisma, clock } = core
  await requireStaff(prisma, actor, ['ops'])
  requireStepUp(actor, clock())
  refuseWrong(input)
  await changeLimits(core, input.prefix, actor, { ...input, reason: checkReason(input.reason, actor) })
}

/** Restores the published limits. @throws Problem as `grantLimits`, and `conflict` if the key has no custom limits */
export async function endLimits(
  core: Core,
  { prefix, reason }: { prefix: string; reason: string },
  actor: Actor,
): Promise<void> {
  const { prisma, clock } = core
  await requireStaff(prisma, actor, ['ops'])
  requireStepUp(actor, clock())
  await changeLimits(core, prefix, actor, null, checkReason(reason, actor))
}

async function changeLimits(
  { prisma, clock, portalAudit }: Core,
  prefix: string,
  actor: Actor,
  grant: LimitGrantInput | null,
  endReason: string = '',
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const key = prefixPattern.test(prefix) ? await tx.apiKey.findUnique({ where: { prefix } }) : null
    if (!key) throw new Problem('not_found', { message: 'No key has this prefix.' })
    // Expired keys of the explorer are deleted, but a grant's key must stay.
    if (key.explorer)
      throw new Problem('conflict', {
        message: 'This key belongs to the explorer and expires within the hour.',
      })
    const now = clock()
    const ended = await tx.keyLimitGrant.updateMany({
      where: { keyId: key.id, endedAt: null },
      data: { endedAt: now },
    })
    if (grant === null && ended.count === 0)
      throw new Problem('conflict', { message: 'This key has no custom limits.' })
    if (grant !== null) {
      const { burst, sustained, reason } = grant
      const data = { keyId: key.id, burst, sustained, reason, grantedById: actor.accountId, createdAt: now }
      await tx.keyLimitGrant.create({ data })
    }
    await tx.apiKey.update({ where: { id: key.id }, data: { version: { increment: 1 } } })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId: key.organizationId ?? undefined,
      practiceId: key.practiceId,
      action: grant === null ? 'api_key.limits_ended' : 'api_key.limits_granted',
      subject: { kind: 'api_key', id: key.id },
      detail: grant === null ? { prefix, reason: endReason } : { ...grant },
    })
  })
}

/** Grants in force, the newest first; the search matches the key, the organization and the reason. */
export async function listLimitGrants({ prisma }: Core, actor: Actor, ask: PageAsk = firstPage) {
  await requireStaff(prisma, actor, ['ops'])
  const where: Prisma.KeyLimitGrantWhereInput = {
    endedAt: null,
    ...searchWhere<Prisma.KeyLimitGrantWhereInput>(ask.q, (like) => [
      { reason: like },
      { key: { name: like } },
      { key: { prefix: like } },
      { key: { organization: { name: like } } },
    ]),
  }
  return readPage(
    ask,
    () => prisma.keyLimitGrant.count({ where }),
    (window) =>
      prisma.keyLimitGrant.findMany({
        where,
        include: {
          key: { select: { prefix: true, name: true, organization: { select: { name: true } } } },
          grantedBy: { select: { name: true } },
        },
        orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
        ...window,
      }),
  )
}

function refuseWrong({ burst, sustained }: LimitGrantInput): void {
  const fits = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most
  if (!fits(burst, grantedLimitsMax.burst)) throw outOf('burst', grantedLimitsMax.burst)
  if (!fits(sustained, grantedLimitsMax.sustained)) throw outOf('sustained', grantedLimitsMax.sustained)
}

/** @returns the reason with single spaces */
function checkReason(typed: string, author: Author): string {
  const reason = typed.replace(/\s+/gu, ' ').trim()
  if (reason.length < 10 || reason.length > 500 || /\p{Cc}/u.test(reason))
    throw new Problem('validation', { message: 'Enter a reason of 10 to 500 characters.', field: 'reason' })
  checkText('reason', reason, author)
  return reason
}

function outOf(field: string, most: number): Problem {
  const message = `Enter a whole number from 1 to ${most.toLocaleString('en-US')}. A key can’t exceed its practice’s limit.`
  return new Problem('validation', { message, field })
}

// The limit of sandbox keys of an organization: live keys and requests that may still become keys count together.

/** Requests in these states may still become keys. */
const pendingStates = ['requested', 'manual_review', 'needs_info', 'approved', 'ready_to_claim'] as const

/**
 * @param db a transaction that holds the organization's lock, if the result must stay true until a write
 * @throws Problem `conflict` if the organization has reached the limit
 */
export async function refuseOverLimit(
  db: Prisma.TransactionClient,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<void> {
  const live = await db.apiKey.count({
    // A rotated key does not count, as its successor does.
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
