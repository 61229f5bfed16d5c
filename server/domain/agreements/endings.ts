/** How an executed agreement ends before its time, and what the developer owes after a BAA. */
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import { type AgreementKind, agreementTimes, type SigningSide, sidesOf } from '../../contract/agreements.ts'
import { Problem } from '../../contract/problems.ts'
import type { Actor } from '../actor.ts'
import { checkText, checkTexts } from '../text-scan/check-text.ts'
import type { ToldMail } from './agreement-mails.ts'
import type { AgreementRooms } from './agreement-rooms.ts'
import type { AgreementTarget, AttestInput } from './agreement-types.ts'
import type { AgreementCase, AgreementWork } from './agreement-walk.ts'
import { dayMs } from './offers.ts'
import { passedReminder, retainUntil } from './retention.ts'

type Termination = AgreementTarget &
  Readonly<{
    comment: string
    /** The last day, in the office zone; null: at once. */
    effectiveOn: string | null
  }>

export function createEndings({ walk, calendar, clock }: AgreementRooms) {
  /** At once, or at the end of a later day. @throws Problem `validation` on `effectiveOn` */
  async function terminate({ comment, effectiveOn, ...target }: Termination, actor: Actor): Promise<void> {
    checkText('comment', comment, actor)
    const now = clock()
    const atOnce = effectiveOn === null || effectiveOn < calendar.dateOf(now)
    if (atOnce && effectiveOn !== null)
      throw new Problem('validation', { field: 'effectiveOn', message: 'This day is over.' })
    await walk.step(target, atOnce ? 'terminate' : 'give_notice', actor, async (of) => {
      if (atOnce) return endNow(of, { reason: comment, word: 'terminated' })
      return giveNotice(of, new Date(calendar.endOf(effectiveOn).getTime() + 1_000), comment)
    })
  }

  function giveNotice({ row, party, now }: AgreementCase, endsAt: Date, comment: string): AgreementWork {
    if (row.expiresAt && endsAt >= row.expiresAt)
      throw new Problem('validation', {
        field: 'effectiveOn',
        message: 'It ends by itself before that day.',
      })
    if (row.endReason !== null && row.endsAt && endsAt >= row.endsAt)
      throw new Problem('validation', {
        field: 'effectiveOn',
        message: 'Notice was given already. It can only be made shorter.',
      })
    return {
      data: {
        endsAt,
        endReason: comment,
        endedBySide: party.side,
        endedById: party.accountId,
        remindedDays: passedReminder(endsAt, now),
        retainUntil: retainUntil(endsAt),
      },
      text: comment,
      detail: { endsAt: endsAt.toISOString() },
      change: 'notice',
      mails: toBoth(row, (side) => ({
        template: 'agreement-notice',
        to: 'side',
        side,
        props: { reason: comment, endsAt: endsAt.toISOString() },
      })),
    }
  }

  /** By the tick: the end of the term or of a notice. @returns whether it was still due */
  async function endByTime(agreementId: string, now: Date): Promise<boolean> {
    return walk.transact((tx) =>
      walk.lockedIn(tx, { agreementId }, { actor: null, now }, async (of) => {
        const { row } = of
        const inForce = row.state === 'executed' || row.state === 'amended'
        if (!inForce || row.endsAt === null || row.endsAt > now) return false
        const expired = row.expiresAt !== null && row.endsAt >= row.expiresAt
        await walk.advance(of, expired ? 'expire' : 'end_notice', (at) =>
          endNow(at, {
            reason: expired ? 'Its term is over.' : (row.endReason ?? 'Notice was given.'),
            word: expired ? 'expired' : 'terminated',
            at: row.endsAt ?? now,
          }),
        )
        return true
      }),
    )
  }

  async function endNow(
    { tx, row, party, now }: AgreementCase,
    { reason, word, at = now }: { reason: string; word: 'expired' | 'terminated'; at?: Date },
  ): Promise<AgreementWork> {
    const task = row.kind === 'baa' ? await openTask(tx, row.id, now) : null
    const bySide = party.side ?? row.endedBySide
    return {
      data: {
        endsAt: at,
        endedAt: at,
        endReason: reason,
        ...(party.side === null ? {} : { endedBySide: party.side, endedById: party.accountId }),
        retainUntil: retainUntil(at),
      },
      text: reason,
      detail: { ended: word, by: bySide },
      change: word,
      mails: toBoth(row, (side) => ({
        template: 'agreement-ended',
        to: 'side',
        side,
        props: {
          reason,
          expired: word === 'expired',
          endedAt: at.toISOString(),
          returnBy: side === 'developer' ? (task?.dueAt.toISOString() ?? null) : null,
        },
      })),
    }
  }

  async function openTask(tx: Prisma.TransactionClient, agreementId: string, now: Date) {
    const dueAt = new Date(now.getTime() + agreementTimes.returnOrDestroyDays * dayMs)
    return tx.agreementReturnTask.upsert({
      where: { agreementId },
      create: { agreementId, openedAt: now, dueAt },
      update: {},
    })
  }

  /** @see Agreements.openReturnTask */
  async function openReturnTask(
    tx: Prisma.TransactionClient,
    { organizationId, practiceId, now }: { organizationId: string; practiceId: string; now: Date },
  ): Promise<void> {
    const baas = await tx.agreement.findMany({
      where: { organizationId, practiceId, kind: 'baa', state: { in: ['executed', 'amended'] } },
      select: { id: true },
    })
    for (const { id } of baas) await openTask(tx, id, now)
  }

  /** What was done with the data, said by somebody who may say it. */
  async function attest(input: AttestInput, actor: Actor): Promise<void> {
    const { outcome, statement, legalName, title, ...target } = input
    checkTexts({ statement, legalName, title }, actor)
    await walk.step(target, 'attest_return', actor, async ({ tx, row, party, now }) => {
      const { count } = await tx.agreementReturnTask.updateMany({
        where: { agreementId: row.id, attestedAt: null },
        data: { outcome, statement, legalName, title, attestedById: party.accountId, attestedAt: now },
      })
      if (count === 0) throw new Problem('conflict', { message: 'Nothing is owed here, or it was attested.' })
      return {
        text: statement,
        detail: { outcome },
        mails: toBoth(row, (side) => ({
          template: 'agreement-returned',
          to: 'side',
          side,
          props: { outcome, statement },
        })),
      }
    })
  }

  return { terminate, endByTime, openReturnTask, attest }
}

export type Endings = ReturnType<typeof createEndings>

function toBoth(row: Agreement, make: (side: SigningSide) => ToldMail): readonly ToldMail[] {
  return sidesOf[row.kind as AgreementKind].map(make)
}
