/** What happens to agreements by time alone: reminders, what stalls and lapses, ends of terms and of notices. */
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import { executedStates, unsignedStates } from '../../contract/agreement-workflow.ts'
import { type AgreementKind, agreementTimes, type SigningSide, sidesOf } from '../../contract/agreements.ts'
import { isProblem } from '../../contract/problems.ts'
import type { AgreementMails, ToldMail } from './agreement-mails.ts'
import { systemParty } from './agreement-parties.ts'
import type { AgreementRooms } from './agreement-rooms.ts'
import type { AgreementCase, AgreementWork } from './agreement-walk.ts'
import type { Endings } from './endings.ts'
import { closed, closing } from './negotiation.ts'
import { after, dayMs } from './offers.ts'
import type { Reoffers } from './reoffers.ts'
import { passedReminder } from './retention.ts'

const { silenceReminderDays, stalledAfterDays, withdrawnAfterDays, expiryReminderDays } = agreementTimes
const batch = 1_000

type Rooms = AgreementRooms & { endings: Endings; reoffers: Reoffers; mails: AgreementMails }

export function createAgreementTicks({ prisma, walk, endings, reoffers, mails }: Rooms) {
  /** @see Agreements.tick */
  async function tick(now: Date): Promise<number> {
    return (
      (await endWhatIsOver(now)) +
      (await remindOfEnds(now)) +
      (await tendSilent(now)) +
      (await remindOfReturns(now))
    )
  }

  async function endWhatIsOver(now: Date): Promise<number> {
    const over = await prisma.agreement.findMany({
      where: { state: { in: [...executedStates] }, endsAt: { lte: now } },
      select: { id: true },
      orderBy: { endsAt: 'asc' },
      take: batch,
    })
    let steps = 0
    for (const { id } of over) if (await endings.endByTime(id, now)) steps += 1
    return steps
  }

  /** One reminder a tick: the nearest that is due; those that were missed are not sent late. */
  async function remindOfEnds(now: Date): Promise<number> {
    const [first] = expiryReminderDays
    const near = await prisma.agreement.findMany({
      where: {
        state: { in: [...executedStates] },
        endsAt: { gt: now, lte: new Date(now.getTime() + first * dayMs) },
      },
      orderBy: { endsAt: 'asc' },
      take: batch,
    })
    let steps = 0
    for (const row of near) {
      const days = dueReminder(row, now)
      if (days === null) continue
      steps += await attempt(row, now, 'remind_expiry', ({ row: locked }) => ({
        data: { remindedDays: days },
        detail: { days },
        mails: bothSides(locked, (side) => ({
          template: 'agreement-expiring',
          to: 'side',
          side,
          props: {
            endsAt: (locked.endsAt ?? now).toISOString(),
            days: daysLeft(locked, now),
            renewable: locked.endReason === null,
          },
        })),
      }))
    }
    return steps
  }

  function dueReminder({ endsAt, remindedDays }: Agreement, now: Date): number | null {
    const due = endsAt && passedReminder(endsAt, now)
    return due !== null && (remindedDays === null || due < remindedDays) ? due : null
  }

  async function tendSilent(now: Date): Promise<number> {
    const [first] = silenceReminderDays
    const silent = await prisma.agreement.findMany({
      where: {
        state: { in: [...unsignedStates, 'stalled'] },
        activeAt: { lte: new Date(now.getTime() - first * dayMs) },
      },
      orderBy: { activeAt: 'asc' },
      take: batch,
    })
    let steps = 0
    for (const row of silent) steps += await tend(row, now)
    return steps
  }

  /** The step that its silence asks for. Of reminders that were missed the latest alone is sent. */
  async function tend(row: Agreement, now: Date): Promise<number> {
    const days = (now.getTime() - row.activeAt.getTime()) / dayMs
    if (row.state === 'stalled')
      return days >= withdrawnAfterDays ? attempt(row, now, 'lapse', (of) => lapse(of)) : 0
    if (days >= stalledAfterDays)
      return attempt(row, now, 'stall', ({ row: locked }) => ({
        change: 'stalled',
        mails: bothSides(locked, (side) => ({
          template: 'agreement-stalled',
          to: 'side',
          side,
          props: { withdrawnAt: after(locked.activeAt, withdrawnAfterDays) },
        })),
      }))
    const count = silenceReminderDays.filter((each) => days >= each).length
    if (count <= row.reminders) return 0
    return attempt(row, now, 'remind', async (of) => ({
      data: { reminders: count },
      detail: { count },
      mails: await remindMissing(of),
    }))
  }

  async function remindMissing({ tx, row }: AgreementCase): Promise<readonly ToldMail[]> {
    const missing = await missingSides(tx, row)
    return missing.map((side) => ({
      template: 'agreement-reminder',
      to: side === 'service' ? 'side' : 'signer',
      side,
      props: {
        stalledAt: after(row.activeAt, stalledAfterDays),
        withdrawnAt: after(row.activeAt, withdrawnAfterDays),
      },
    }))
  }

  async function lapse(of: AgreementCase): Promise<AgreementWork> {
    const reason = 'Nobody moved it for 60 days.'
    await reoffers.dropAmendment(of)
    return { ...closed(of.row, reason), data: closing(of.now, reason) }
  }

  /** Once, when the day of returning or destroying is over and nobody attested it. */
  async function remindOfReturns(now: Date): Promise<number> {
    const owed = await prisma.agreementReturnTask.findMany({
      where: { attestedAt: null, remindedAt: null, dueAt: { lte: now } },
      take: batch,
    })
    let steps = 0
    for (const { agreementId, dueAt } of owed)
      steps += await prisma.$transaction(async (tx) => {
        const { count } = await tx.agreementReturnTask.updateMany({
          where: { agreementId, attestedAt: null, remindedAt: null },
          data: { remindedAt: now },
        })
        const row = await tx.agreement.findUniqueOrThrow({ where: { id: agreementId } })
        const told = bothSides(row, (side) => ({
          template: 'agreement-return-due',
          to: 'side',
          side,
          props: { dueAt: dueAt.toISOString(), yours: side === 'developer' },
        }))
        if (count > 0) await mails.send(tx, row, { told, actor: null, now })
        return count
      })
    return steps
  }

  /** A step on what was read before: if somebody was faster, theirs counts. */
  async function attempt(
    { id, version }: Agreement,
    now: Date,
    event: 'remind' | 'remind_expiry' | 'stall' | 'lapse',
    work: (of: AgreementCase) => Promise<AgreementWork> | AgreementWork,
  ): Promise<number> {
    try {
      await walk.transact((tx) =>
        walk.lockedIn(tx, { agreementId: id }, { actor: null, now }, (of) =>
          walk.advance({ ...of, party: systemParty }, event, work, { version }),
        ),
      )
      return 1
    } catch (thrown) {
      if (isProblem(thrown) && thrown.kind === 'conflict') return 0
      throw thrown
    }
  }

  return { tick }
}

/** As people count: what is left of the last day is a day. */
function daysLeft({ endsAt }: Agreement, now: Date): number {
  return Math.max(1, Math.ceil(((endsAt?.getTime() ?? 0) - now.getTime()) / dayMs))
}

function bothSides(row: Agreement, make: (side: SigningSide) => ToldMail): readonly ToldMail[] {
  return sidesOf[row.kind as AgreementKind].filter((side) => side !== 'service').map(make)
}

/** Whose signature on the offered version is still to come. */
export async function missingSides(
  tx: Prisma.TransactionClient,
  row: Pick<Agreement, 'id' | 'kind' | 'number'>,
): Promise<readonly SigningSide[]> {
  const signed = await tx.agreementSignature.findMany({
    where: { agreementId: row.id, number: row.number },
    select: { side: true },
  })
  return sidesOf[row.kind as AgreementKind].filter((side) => !signed.some((each) => each.side === side))
}
