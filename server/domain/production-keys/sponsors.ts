/** What the practice does: confirms with the signatory named, declines, does not know of it, ends it, lets it go on. */
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/problems.ts'
import { keyedStates, type ProductionKeyState } from '../../contract/production-key-workflow.ts'
import type { LegalParty } from '../../contract/security-questions.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import type { Actor } from '../actor.ts'
import { findStaff } from '../review-clocks/escalation.ts'
import { checkTexts } from '../text-scan/check-text.ts'
import { findCorrespondents } from './correspondents.ts'
import type { createDocuments } from './documents.ts'
import { readFacts, requireActivePractice, requireFacts } from './facts.ts'
import { openClaim } from './open-claim.ts'
import { checkReason } from './reason.ts'
import { requireGoesOn } from './renewed-access.ts'
import type { ProductionRooms } from './rooms.ts'
import type { Suspensions } from './suspensions.ts'
import type { StepTarget } from './walk.ts'

export type Confirmation = StepTarget &
  LegalParty & { signatoryId: string; signatoryName: string; signatoryTitle: string }

type Neighbours = {
  documents: Pick<ReturnType<typeof createDocuments>, 'advance'>
  suspensions: Pick<Suspensions, 'recheckIn' | 'openCause'>
}

export function createSponsors(rooms: ProductionRooms, { documents, suspensions }: Neighbours) {
  const { walk, agreements } = rooms

  /** The practice vouches, and says who signs the BAA. The documents are offered with it. */
  async function confirm(input: Confirmation, actor: Actor): Promise<void> {
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
    await walk.step(target, 'confirm', actor, async ({ tx, row, party, now }) => {
      await requireActivePractice(tx, row.practiceId)
      await requireSigner(tx, row.practiceId ?? '', signatoryId)
      return {
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
        after: () => documents.advance(tx, row.id, actor),
        mails: async (confirmed) => {
          const to = await findCorrespondents(tx, confirmed)
          return to.toBoth('sponsor-confirmed', { sponsorName: party.name, signatoryName })
        },
      }
    })
  }

  async function decline(
    { reason, ...target }: StepTarget & { reason: string },
    actor: Actor,
  ): Promise<void> {
    const words = checkReason(reason, actor)
    await walk.step(target, 'decline', actor, ({ tx, now }) => ({
      data: { endedAt: now, openRenewalOfId: null },
      text: words,
      mails: async (row) =>
        (await findCorrespondents(tx, row)).toDevelopers('sponsor-declined', { reason: words }),
    }))
  }

  /** "This is not us": everything about it stands still until operations have looked. */
  async function notUs({ reason, ...target }: StepTarget & { reason: string }, actor: Actor): Promise<void> {
    const words = checkReason(reason, actor)
    await walk.step(target, 'not_us', actor, ({ tx, party }) => ({
      text: words,
      data: { openRenewalOfId: null },
      mails: async (row) => {
        const [to, ops] = [await findCorrespondents(tx, row), await findStaff(tx, 'ops')]
        return ops.map(
          ({ name, email }): EnqueuedMail<'production-security-hold'> => ({
            template: 'production-security-hold',
            to: email,
            props: {
              name,
              keyName: row.name,
              organizationName: to.organization.name,
              practiceName: to.practice?.name ?? row.practiceSlug,
              reportedBy: party.name,
              reason: words,
              requestId: row.id,
            },
          }),
        ) as unknown as EnqueuedMail[]
      },
    }))
  }

  /** At any time: a key stops at once, a request ends. The developers give back or destroy what they have. */
  async function endSponsorship(
    { reason, ...target }: StepTarget & { reason: string },
    actor: Actor,
  ): Promise<void> {
    const words = checkReason(reason, actor)
    await walk.step(target, 'end_sponsorship', actor, async ({ tx, row, now }) => {
      if (row.sponsorEndedAt) throw new Problem('conflict', { message: 'The sponsorship has ended already.' })
      if (!keyedStates.includes(row.state as ProductionKeyState)) return ended(tx, row, words, actor, now)
      const work = await suspensions.openCause(tx, {
        row,
        cause: 'sponsorship_ended',
        reason: words,
        by: actor,
        now,
      })
      const { organizationId, practiceId } = row
      if (practiceId) await agreements.openReturnTask(tx, { organizationId, practiceId, now })
      return { ...work, data: { sponsorEndedAt: now } }
    })
  }

  function ended(
    tx: Prisma.TransactionClient,
    row: ProductionKeyRequest,
    reason: string,
    by: Actor,
    now: Date,
  ) {
    return {
      data: { sponsorEndedAt: now, endedAt: now, openRenewalOfId: null },
      text: reason,
      after: async () => {
        await agreements.withdrawOpen(tx, { requestId: row.id, reason, by, now })
      },
      mails: async (changed: ProductionKeyRequest) =>
        (await findCorrespondents(tx, changed)).toDevelopers('sponsor-declined', { reason }),
    }
  }

  /** An admin vouches in the place of one who left or ended it; a key that stood still for that works again. */
  async function takeOver(target: StepTarget, actor: Actor): Promise<void> {
    await walk.step(target, 're_sponsor', actor, ({ tx, row, now }) => {
      if (row.sponsorId === actor.accountId && row.sponsorEndedAt === null)
        throw new Problem('conflict', { message: 'You vouch for it already.' })
      return {
        data: { sponsorId: actor.accountId, sponsoredAt: now, sponsorEndedAt: null },
        detail: { before: row.sponsorId },
        after: async () => {
          await suspensions.recheckIn(tx, row.id, 'system')
        },
      }
    })
  }

  /** One click: the key goes on under the same papers. */
  async function reconfirm(target: StepTarget, actor: Actor): Promise<void> {
    await walk.step(target, 'reconfirm', actor, async ({ tx, row, now }) => {
      await requireActivePractice(tx, row.practiceId)
      await requireGoesOn(tx, row.renewsId)
      const sponsored = { ...row, sponsorId: actor.accountId, sponsoredAt: now, sponsorEndedAt: null }
      requireFacts(await readFacts(tx, agreements, sponsored, now))
      return openClaim(tx, rooms, {
        data: { sponsorId: actor.accountId, sponsoredAt: now, approvedAt: now },
        renewal: true,
        now,
      })
    })
  }

  return { confirm, decline, notUs, endSponsorship, takeOver, reconfirm }
}

/** @throws Problem `validation` for somebody who may not sign for the practice */
async function requireSigner(
  tx: Prisma.TransactionClient,
  practiceId: string,
  accountId: string,
): Promise<void> {
  const signer = await tx.practiceMembership.findFirst({
    where: { practiceId, accountId, role: { in: ['admin', 'signatory'] }, account: { disabledAt: null } },
  })
  if (!signer)
    throw new Problem('validation', {
      field: 'signatoryId',
      message: 'Choose an admin or a signatory of the practice.',
    })
}
