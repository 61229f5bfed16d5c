/**
 * Suspends and reinstates keys (workflows §4). Each cause is a row. The transaction that opens the first cause marks the
 * key, and the one that ends the last cause unmarks it, so that every process follows on the next call.
 */
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import {
  keyedStates,
  type ProductionKeyState,
  productionKeyTimes,
  type SuspensionCause,
  suspensionCauses,
} from '../../contract/workflows/production-key-workflow.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { transact } from '../workflow/engine.ts'
import { agreementsValidUntil, readFacts, requireActivePractice, requireFacts } from './facts.ts'
import { checkReason, cleanReason } from './reason.ts'
import {
  type Context,
  type Effects,
  type Initiator,
  lock,
  type RequestTarget,
  transition,
  transitionIn,
} from './transition.ts'

const dayMs = 86_400_000

/** Suspends the key; for the practice or operations. Both sides get the reason. */
export async function suspend(
  core: Core,
  { reason, ...target }: RequestTarget & { reason: string },
  actor: Actor,
): Promise<void> {
  const words = checkReason(reason, actor)
  const causeOf = ({ party }: Context) => (party.kind === 'ops' ? 'ops' : 'practice')
  await transition(core, target, 'suspend', actor, {
    guards: { new_cause: (context) => requireNewCause(context, causeOf(context)) },
    effects: (context) => {
      const { tx, row, now } = context
      return openCause(tx, { row, cause: causeOf(context), reason: words, by: actor, now })
    },
  })
}

/**
 * Ends the suspensions of the actor's side; operations end those of either side. The key works again if no other cause
 * is left.
 * @throws Problem `conflict` if the actor's side did not suspend it, or a document is not in force
 */
export async function reinstate(
  core: Core,
  { reason, ...target }: RequestTarget & { reason: string },
  actor: Actor,
): Promise<void> {
  const words = checkReason(reason, actor)
  await transact(core, async (tx) => {
    const row = await lock(tx, target.requestId)
    const open = await openCauses(tx, row.id)
    const staff = await tx.account.findFirst({ where: { id: actor.accountId, realm: 'staff' } })
    const ending = open.filter(({ cause }) => cause === 'practice' || (staff && cause === 'ops'))
    const event = ending.length === open.length ? 'reinstate' : 'clear'
    const cause_over = () => {
      if (ending.length === 0)
        throw new Problem('conflict', { message: notYours(open.map(({ cause }) => cause)) })
    }
    const causes_over = async ({ now }: Context) => {
      cause_over()
      await requireInForce(core, tx, row, now)
    }
    await transitionIn(core, tx, target, event, actor, {
      guards: { cause_over, causes_over },
      effects: async ({ now }) => {
        await endCauses(tx, ending, actor.accountId, now)
        return event === 'reinstate'
          ? reinstateKeys(core, tx, row, words, now)
          : { text: words, emails: noEmails }
      },
    })
  })
}

async function requireNewCause({ tx, row }: Context, cause: SuspensionCause): Promise<void> {
  const known = await tx.productionKeySuspension.findFirst({
    where: { requestId: row.id, cause, endedAt: null },
  })
  if (known) throw new Problem('conflict', { message: 'It is already suspended for this reason.' })
}

/** Opens a cause and marks the keys. */
export async function openCause(
  tx: Prisma.TransactionClient,
  input: { row: ProductionKeyRequest; cause: SuspensionCause; reason: string; by: Actor | null; now: Date },
): Promise<Effects<'suspend'>> {
  const { row, cause, reason, by, now } = input
  await tx.productionKeySuspension.create({
    data: { requestId: row.id, cause, reason, byId: by?.accountId ?? null, at: now },
  })
  await tx.apiKey.updateMany({
    where: { productionRequestId: row.id, revokedAt: null, suspendedAt: null },
    data: { suspendedAt: now },
  })
  const unsponsored = cause === 'sponsorship_ended' || cause === 'sponsor_left'
  const revokesAt = unsponsored ? new Date(now.getTime() + productionKeyTimes.unsponsoredDays * dayMs) : null
  return {
    codes: [cause],
    text: reason,
    emails: () => ({
      'production-suspended': {
        cause: suspensionCauses[cause].title,
        next: suspensionCauses[cause].next,
        reason,
        at: now.toISOString(),
        revokesAt: revokesAt?.toISOString() ?? null,
      },
    }),
  }
}

/** @throws Problem `conflict` unless everything is in force */
async function requireInForce(
  core: Core,
  tx: Prisma.TransactionClient,
  row: ProductionKeyRequest,
  now: Date,
) {
  await requireActivePractice(tx, row.practiceId)
  const facts = await readFacts(core, tx, row, now)
  requireFacts(facts, ['usageAgreement', 'baa', 'sponsorship'])
  return facts
}

/** The effects of a step that reinstates the keys. */
async function reinstateKeys(
  core: Core,
  tx: Prisma.TransactionClient,
  row: ProductionKeyRequest,
  reason: string,
  now: Date,
): Promise<Effects<'reinstate'>> {
  const facts = await requireInForce(core, tx, row, now)
  await tx.apiKey.updateMany({
    where: { productionRequestId: row.id, revokedAt: null },
    data: { suspendedAt: null, agreementsValidUntil: agreementsValidUntil(facts) },
  })
  return {
    text: reason,
    emails: () => ({ 'production-reinstated': { reason, at: now.toISOString() } }),
  }
}

/**
 * Checks the preconditions of a key, and suspends or reinstates it. The tick calls it, and so does every change of a
 * document, a sponsor or a practice, in its own transaction.
 * @returns whether anything changed
 */
export async function recheckIn(
  core: Core,
  tx: Prisma.TransactionClient,
  requestId: string,
  who: Extract<Initiator, string | { documents: true }>,
): Promise<boolean> {
  const { clock } = core
  const now = clock()
  const row = await lock(tx, requestId)
  if (!keyedStates.includes(row.state as ProductionKeyState)) return false
  const present = await findCauses(core, tx, row, now)
  const open = await openCauses(tx, row.id)
  const system = open.filter(({ cause }) => suspensionCauses[cause].by === 'system')
  const by = who === 'system' ? null : who.actor
  let changed = false
  for (const [cause, reason] of present) {
    if (open.some((other) => other.cause === cause)) continue
    await transitionIn(core, tx, { requestId }, 'suspend', who, {
      guards: { new_cause: (context) => requireNewCause(context, cause) },
      effects: (context) => openCause(tx, { row: context.row, cause, reason, by, now }),
    })
    changed = true
  }
  const over = system.filter(({ cause }) => !present.has(cause))
  if (over.length === 0) return changed
  await endCauses(tx, over, by?.accountId ?? null, now)
  const left = (await openCauses(tx, row.id)).length > 0
  const reason = `Resolved: ${over.map(({ cause }) => suspensionCauses[cause].title).join('; ')}.`
  await transitionIn(core, tx, { requestId }, left ? 'clear' : 'reinstate', who, {
    guards: {
      cause_over: () => {},
      causes_over: async () => void (await requireInForce(core, tx, row, now)),
    },
    effects: (context) =>
      left ? { text: reason, emails: noEmails } : reinstateKeys(core, tx, context.row, reason, now),
  })
  return true
}

/** Finds the causes that no person decides, and stores until when the agreements hold. */
async function findCauses(core: Core, tx: Prisma.TransactionClient, row: ProductionKeyRequest, now: Date) {
  const facts = await readFacts(core, tx, row, now)
  const until = agreementsValidUntil(facts)
  if (until)
    await tx.apiKey.updateMany({
      where: { productionRequestId: row.id, revokedAt: null, NOT: { agreementsValidUntil: until } },
      data: { agreementsValidUntil: until },
    })
  const practice = row.practiceId ? await tx.practice.findUnique({ where: { id: row.practiceId } }) : null
  const causes = new Map<SuspensionCause, string>()
  if (!facts.baa) causes.set('baa_ended', 'No BAA in force covers this key.')
  // A newer usage policy is required at the next approval; a key under the earlier one goes on working.
  if (!facts.usageAgreement) causes.set('agreement_ended', 'No usage agreement is in force.')
  if (row.sponsorEndedAt) causes.set('sponsorship_ended', 'The practice ended its sponsorship.')
  else if (!facts.sponsorship)
    causes.set('sponsor_left', 'The sponsor is no longer an admin of the practice.')
  if (practice?.state !== 'active') causes.set('practice_suspended', 'The practice is stopped.')
  if (row.certifiedAt && row.certifiedAt.getTime() + recertifyMs <= now.getTime())
    causes.set('not_recertified', 'The practice did not confirm the key in the annual review.')
  return causes
}

async function openCauses(tx: Prisma.TransactionClient, requestId: string) {
  const rows = await tx.productionKeySuspension.findMany({
    where: { requestId, endedAt: null },
    orderBy: { at: 'asc' },
  })
  return rows.map((row) => ({ ...row, cause: row.cause as SuspensionCause }))
}

async function endCauses(
  tx: Prisma.TransactionClient,
  causes: readonly { id: string }[],
  endedById: string | null,
  now: Date,
): Promise<void> {
  await tx.productionKeySuspension.updateMany({
    where: { id: { in: causes.map(({ id }) => id) } },
    data: { endedAt: now, endedById },
  })
}

/** Rechecks every key of an organization or a practice. */
export async function recheckAllIn(
  core: Core,
  tx: Prisma.TransactionClient,
  where: { organizationId?: string; practiceId?: string },
  who: Extract<Initiator, string | { documents: true }>,
): Promise<void> {
  const rows = await tx.productionKeyRequest.findMany({
    where: { ...where, state: { in: [...keyedStates] } },
    select: { id: true },
    orderBy: { id: 'asc' },
  })
  for (const { id } of rows) await recheckIn(core, tx, id, who)
}

/** Revokes the keys for good; both sides are notified. */
export async function revoke(
  core: Core,
  { reason, ...target }: RequestTarget & { reason: string },
  who: Actor | 'system',
): Promise<void> {
  const words = who === 'system' ? reason : cleanReason(reason)
  await transition(core, target, 'revoke', who, { effects: (context) => revoked(context, words) })
}

async function revoked({ tx, row, party, now }: Context, words: string): Promise<Effects<'revoke'>> {
  await tx.apiKey.updateMany({
    where: { productionRequestId: row.id, revokedAt: null },
    data: { revokedAt: now, revokedById: party.accountId, revokeReason: words },
  })
  return {
    data: { endedAt: now },
    text: words,
    emails: () => ({
      'production-revoked': { by: party.name, reason: words, at: now.toISOString() },
    }),
  }
}

const noEmails = () => ({})
const recertifyMs = (productionKeyTimes.recertifyEveryDays + productionKeyTimes.recertifyWithinDays) * dayMs

function notYours(causes: readonly SuspensionCause[]): string {
  const titles = causes.map((cause) => suspensionCauses[cause].title)
  return titles.length === 0
    ? 'It is not suspended.'
    : `It is also suspended for another reason: ${titles.join('; ')}. Resolve that first.`
}
