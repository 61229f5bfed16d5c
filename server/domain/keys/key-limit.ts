/** Limits of one key in place of the published ones: data with a reason and an author, held from the next request on. */
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
 * Takes the place of an earlier grant. By operations only, with fresh proof of who it is.
 * @throws Problem `forbidden` (also step-up), `not_found` (no such key), `validation`
 */
export async function grantLimits(core: Core, input: LimitGrantInput, actor: Actor): Promise<void> {
  const { prisma, clock } = core
  await requireStaff(prisma, actor, ['ops'])
  requireStepUp(actor, clock())
  refuseWrong(input)
  await change(core, input.prefix, actor, { ...input, reason: checkReason(input.reason, actor) })
}

/** Back to the published limits. @throws as `grantLimits`, and `conflict` when the key has none of its own */
export async function endLimits(
  core: Core,
  { prefix, reason }: { prefix: string; reason: string },
  actor: Actor,
): Promise<void> {
  const { prisma, clock } = core
  await requireStaff(prisma, actor, ['ops'])
  requireStepUp(actor, clock())
  await change(core, prefix, actor, null, checkReason(reason, actor))
}

async function change(
  { prisma, clock, portalAudit }: Core,
  prefix: string,
  actor: Actor,
  grant: LimitGrantInput | null,
  why: string = '',
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const key = prefixPattern.test(prefix) ? await tx.apiKey.findUnique({ where: { prefix } }) : null
    if (!key) throw new Problem('not_found', { message: 'No key has this prefix.' })
    // Its keys are deleted when they are over, and a grant keeps its key.
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
      detail: grant === null ? { prefix, reason: why } : { ...grant },
    })
  })
}

/** Grants in force, newest first, with who gave them and why; searched by key, organization and reason. */
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

/** @returns the reason, as it is kept: spaces alone are none */
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

// How many sandbox keys an organization may have: live ones and those that can still be claimed count together.

/** Asked for and not ended: each may still become a key. */
const pendingStates = ['requested', 'manual_review', 'needs_info', 'approved', 'ready_to_claim'] as const

/**
 * @param db under the organization's lock where the answer must hold until something is written
 * @throws Problem `conflict` (no room for one more)
 */
export async function refuseOverLimit(
  db: Prisma.TransactionClient,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<void> {
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
