/** The steps of developers after a review has begun: answer questions, appeal, renew the key, and the yearly review. */
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import {
  keyedStates,
  type ProductionKeyState,
  productionKeyTimes,
  productionKeyWorkflow,
} from '../../contract/workflows/production-key-workflow.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { assigneeOfAnswer } from '../review-queue/assignee.ts'
import { transact } from '../workflow/engine.ts'
import { findParty } from './facts.ts'
import { checkReason } from './reason.ts'
import { requireGoesOn } from './renewed-access.ts'
import { recheckIn } from './suspensions.ts'
import { begin, type Context, lock, productionKeys, type RequestTarget, transition } from './transition.ts'

const dayMs = 86_400_000
const { renewBeforeDays, renewAfterDays, sponsorDays, appealDays } = productionKeyTimes

export async function resubmit(
  core: Core,
  { answers, ...target }: RequestTarget & { answers: readonly { id: string; text: string }[] },
  actor: Actor,
): Promise<void> {
  const texts = new Map(answers.map(({ id, text }) => [id, checkReason(text, actor, `answer-${id}`)]))
  const openItems = ({ tx, row }: Context) =>
    tx.productionKeyItem.findMany({ where: { requestId: row.id, answeredAt: null } })
  await transition(core, target, 'resubmit', actor, {
    guards: {
      items_answered: async (context) => {
        const missing = (await openItems(context)).find(({ id }) => !texts.has(id))
        if (missing)
          throw new Problem('validation', { field: `answer-${missing.id}`, message: 'Answer every item.' })
      },
    },
    effects: async (context) => {
      const open = await openItems(context)
      for (const { id } of open)
        await context.tx.productionKeyItem.update({
          where: { id },
          data: { answer: texts.get(id) ?? '', answeredAt: context.now },
        })
      const claimedById = await assigneeOfAnswer(context, productionKeys.kind)
      return { data: { silentSince: null, reminders: 0, claimedById }, detail: { answered: open.length } }
    },
  })
}

export async function appeal(
  core: Core,
  { text, ...target }: RequestTarget & { text: string },
  actor: Actor,
): Promise<void> {
  const words = checkReason(text, actor, 'text')
  await transition(core, target, 'appeal', actor, {
    guards: {
      appeal_in_time: ({ row, now }) => {
        const until = (row.rejectedAt?.getTime() ?? 0) + appealDays * dayMs
        if (now.getTime() > until)
          throw new Problem('conflict', {
            message: `You can appeal within ${appealDays} days of the rejection.`,
          })
      },
    },
    effects: () => ({ text: words, data: { endedAt: null } }),
  })
}

/**
 * Requests the same access for another term. The practice confirms it with one click.
 * @returns the id of the renewal's own request
 * @throws Problem `conflict` if it is too early or too late, another renewal is open, or people stopped the key
 */
export async function renew(core: Core, { requestId, version }: RequestTarget, actor: Actor) {
  const { clock } = core
  if (!uuidPattern.test(requestId)) throw new Problem('not_found')
  return transact(core, async (tx) => {
    const now = clock()
    const old = await lock(tx, requestId)
    const party = await findParty(tx, old, actor)
    const state = productionKeyWorkflow.next(null, 'renew', party.kind as never)
    if (version !== null && version !== undefined && version !== old.version)
      throw new Problem('conflict', { message: 'This changed in the meantime. Review it again.' })
    const guards = {
      renewable: async () => {
        requireRenewable(old, now)
        await requireGoesOn(tx, old.id)
      },
    }
    const make = () =>
      tx.productionKeyRequest.create({
        data: {
          organizationId: old.organizationId,
          requestedById: actor.accountId,
          practiceId: old.practiceId,
          practiceSlug: old.practiceSlug,
          name: old.name,
          level: old.level,
          justification: old.justification,
          purposes: old.purposes,
          dataClasses: old.dataClasses,
          termDays: old.termDays,
          signatoryId: old.signatoryId,
          signatoryName: old.signatoryName,
          signatoryTitle: old.signatoryTitle,
          profile: old.profile ?? {},
          practiceParty: old.practiceParty ?? {},
          practiceSignatoryId: old.practiceSignatoryId,
          practiceSignatoryName: old.practiceSignatoryName,
          practiceSignatoryTitle: old.practiceSignatoryTitle,
          usageAgreementId: old.usageAgreementId,
          baaId: old.baaId,
          renewsId: old.id,
          openRenewalOfId: old.id,
          state,
          submittedAt: now,
          invitedAt: now,
          createdAt: now,
          updatedAt: now,
        },
      })
    const row = await begin(core, tx, 'renew', {
      guards,
      make,
      party,
      actor,
      now,
      emails: () => ({
        'production-renewal-asked': {
          requestedBy: party.name,
          endsAt: (old.expiresAt ?? now).toISOString(),
          lapsesAt: new Date(now.getTime() + sponsorDays * dayMs).toISOString(),
        },
      }),
    })
    return { requestId: row.id }
  }).catch((thrown) => {
    if (isUniqueViolation(thrown)) throw new Problem('conflict', { message: 'A renewal is already open.' })
    throw thrown
  })
}

/** Whether the key is in its last days, or expired only some days ago. */
export function mayRenew({ state, expiresAt }: { state: string; expiresAt: Date | null }, now: Date) {
  if (expiresAt === null || !['active', 'rotating', 'expired'].includes(state)) return false
  const left = expiresAt.getTime() - now.getTime()
  return left <= renewBeforeDays * dayMs && left > -renewAfterDays * dayMs
}

function requireRenewable(row: { state: string; expiresAt: Date | null }, now: Date): void {
  if (!mayRenew(row, now))
    throw new Problem('conflict', {
      message: `You can renew an active key in its last ${renewBeforeDays} days, and an expired one within ${renewAfterDays} days.`,
    })
}

// Once a year, an admin of the practice reviews every key that reaches it.

/** Confirms the key for another year. A key that was suspended because this was missing works again. */
export async function recertify(core: Core, { requestId, version }: RequestTarget, actor: Actor) {
  const { clock, portalAudit } = core
  await transact(core, async (tx) => {
    const row = await lock(tx, requestId)
    const party = await findParty(tx, row, actor)
    if (party.kind !== 'sponsor')
      throw new Problem('forbidden', { message: 'Only an admin of the practice can confirm this.' })
    if (!keyedStates.includes(row.state as ProductionKeyState))
      throw new Problem('conflict', { message: 'There is no key to confirm.' })
    if (version !== undefined && version !== null && version !== row.version)
      throw new Problem('conflict', { message: 'This changed in the meantime. Review it again.' })
    requireStepUp(actor, clock())
    const now = clock()
    await tx.productionKeyRequest.update({
      where: { id: requestId },
      data: { certifiedAt: now, recertifyReminders: 0, version: { increment: 1 } },
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId: row.organizationId,
      ...(row.practiceId ? { practiceId: row.practiceId } : {}),
      action: 'production_key.recertified',
      subject: { kind: 'production_key_request', id: requestId },
      detail: { before: row.certifiedAt?.toISOString() ?? null },
    })
    await recheckIn(core, tx, requestId, 'system')
  })
}
