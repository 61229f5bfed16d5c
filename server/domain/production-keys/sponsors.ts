/** The steps of a practice: confirm, decline, report an unknown request, end the sponsorship, take it over, renew. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { keyedStates, type ProductionKeyState } from '../../contract/workflows/production-key-workflow.ts'
import type { LegalParty } from '../../contract/workflows/security-questions.ts'
import type { Actor } from '../actor.ts'
import { openReturnTask, withdrawOpen } from '../agreements/agreements.ts'
import type { Core } from '../core.ts'
import { checkTexts } from '../text-scan/check-text.ts'
import { advance } from './documents.ts'
import { readFacts, requireActivePractice, requireFacts } from './facts.ts'
import { openClaim } from './open-claim.ts'
import { checkReason } from './reason.ts'
import { requireGoesOn } from './renewed-access.ts'
import { openCause, recheckIn } from './suspensions.ts'
import { type Context, type Effects, type RequestTarget, transition } from './transition.ts'

type Confirmation = RequestTarget &
  LegalParty & { signatoryId: string; signatoryName: string; signatoryTitle: string }

/** Confirms the sponsorship and names the practice's signatory of the BAA. The documents are offered in the same step. */
export async function confirm(core: Core, input: Confirmation, actor: Actor): Promise<void> {
  const {
    signatoryId,
    signatoryName,
    signatoryTitle,
    legalName,
    address,
    contactName,
    contactEmail,
    ...target
  } = input
  checkTexts({ legalName, address, contactName, signatoryName, signatoryTitle }, actor)
  await transition(core, target, 'confirm', actor, {
    guards: {
      signatory_named: async ({ tx, row }) => {
        await requireActivePractice(tx, row.practiceId)
        await requireSigner(tx, row.practiceId ?? '', signatoryId)
      },
    },
    effects: ({ tx, row, party, now }) => ({
      data: {
        sponsorId: actor.accountId,
        sponsoredAt: now,
        sponsorEndedAt: null,
        practiceSignatoryId: signatoryId,
        practiceSignatoryName: signatoryName,
        practiceSignatoryTitle: signatoryTitle,
        practiceParty: { legalName, address, contactName, contactEmail },
      },
      detail: { signatoryId },
      after: () => advance(core, tx, row.id, actor),
      emails: () => ({ 'sponsor-confirmed': { sponsorName: party.name, signatoryName } }),
    }),
  })
}

export async function decline(
  core: Core,
  { reason, ...target }: RequestTarget & { reason: string },
  actor: Actor,
): Promise<void> {
  const words = checkReason(reason, actor)
  await transition(core, target, 'decline', actor, {
    effects: ({ now }) => ({
      data: { endedAt: now, openRenewalOfId: null },
      text: words,
      emails: () => ({ 'sponsor-declined': { reason: words } }),
    }),
  })
}

/** "We don't recognize this request": it is on hold until operations have checked it. */
export async function notUs(
  core: Core,
  { reason, ...target }: RequestTarget & { reason: string },
  actor: Actor,
): Promise<void> {
  const words = checkReason(reason, actor)
  await transition(core, target, 'not_us', actor, {
    effects: ({ party }) => ({
      text: words,
      data: { openRenewalOfId: null },
      emails: () => ({ 'production-security-hold': { reportedBy: party.name, reason: words } }),
    }),
  })
}

/** Ends the sponsorship: a key stops at once, an open request ends, and the developers must return or destroy the data. */
export async function endSponsorship(
  core: Core,
  { reason, ...target }: RequestTarget & { reason: string },
  actor: Actor,
): Promise<void> {
  const words = checkReason(reason, actor)
  await transition(core, target, 'end_sponsorship', actor, {
    guards: {
      sponsorship_open: ({ row }) => {
        if (row.sponsorEndedAt)
          throw new Problem('conflict', { message: 'The sponsorship has already ended.' })
      },
    },
    effects: async (context) => {
      const { tx, row, now } = context
      if (!keyedStates.includes(row.state as ProductionKeyState)) return close(core, context, words, actor)
      const cause = 'sponsorship_ended'
      const opened = await openCause(tx, { row, cause, reason: words, by: actor, now })
      const { organizationId, practiceId } = row
      if (practiceId) await openReturnTask(core, tx, { organizationId, practiceId, now })
      return { ...opened, data: { sponsorEndedAt: now } }
    },
  })
}

function close(core: Core, { tx, row, now }: Context, reason: string, by: Actor): Effects<'end_sponsorship'> {
  return {
    data: { sponsorEndedAt: now, endedAt: now, openRenewalOfId: null },
    text: reason,
    after: async () => {
      await withdrawOpen(core, tx, { requestId: row.id, reason, by })
    },
    emails: () => ({ 'sponsor-declined': { reason } }),
  }
}

/** Makes the actor the sponsor after the former one left or ended it. A key that was suspended for that works again. */
export async function takeOver(core: Core, target: RequestTarget, actor: Actor): Promise<void> {
  await transition(core, target, 're_sponsor', actor, {
    guards: {
      another_sponsor: ({ row }) => {
        if (row.sponsorId === actor.accountId && row.sponsorEndedAt === null)
          throw new Problem('conflict', { message: 'You are already the sponsor.' })
      },
    },
    effects: ({ tx, row, now }) => ({
      data: { sponsorId: actor.accountId, sponsoredAt: now, sponsorEndedAt: null },
      detail: { before: row.sponsorId },
      after: async () => {
        await recheckIn(core, tx, row.id, 'system')
      },
    }),
  })
}

/** Confirms a renewal: the key goes on under the same agreements. */
export async function reconfirm(core: Core, target: RequestTarget, actor: Actor): Promise<void> {
  await transition(core, target, 'reconfirm', actor, {
    guards: {
      facts_in_force: async ({ tx, row, now }) => {
        await requireActivePractice(tx, row.practiceId)
        await requireGoesOn(tx, row.renewsId)
        const sponsored = { ...row, sponsorId: actor.accountId, sponsoredAt: now, sponsorEndedAt: null }
        requireFacts(await readFacts(core, tx, sponsored, now))
      },
    },
    effects: ({ tx, now }) =>
      openClaim(core, tx, {
        data: { sponsorId: actor.accountId, sponsoredAt: now, approvedAt: now },
        renewal: true,
        now,
      }),
  })
}

/** @throws Problem `validation` for a person who may not sign for the practice */
async function requireSigner(tx: Prisma.TransactionClient, practiceId: string, accountId: string) {
  const signer = await tx.practiceMembership.findFirst({
    where: { practiceId, accountId, role: { in: ['admin', 'signatory'] }, account: { disabledAt: null } },
  })
  if (!signer)
    throw new Problem('validation', {
      field: 'signatoryId',
      message: 'Choose an admin or a signatory of the practice.',
    })
}
