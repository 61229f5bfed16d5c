/** What happens to agreements by time alone: reminders, what stalls and lapses, ends of terms and of notices. */
import type { Logger } from 'pino'
import type { Agreement, AgreementReturnTask, Prisma } from '../../../prisma/generated/client/client.ts'
import { type AgreementDue, agreementWorkflow } from '../../contract/agreement-workflow.ts'
import { type AgreementKind, agreementTimes, type SigningSide, sidesOf } from '../../contract/agreements.ts'
import {
  type DueRule,
  type DueSubjects,
  reminderAt,
  reminderBefore,
  rulesOf,
  runDue,
} from '../workflow/due.ts'
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

type Rooms = AgreementRooms & {
  log: Pick<Logger, 'error'>
  endings: Endings
  reoffers: Reoffers
  mails: AgreementMails
}
type Subject = Readonly<{ row: Agreement; task: AgreementReturnTask | null }>

export function createAgreementDue({ prisma, log, walk, endings, reoffers, mails }: Rooms) {
  /** The end of a term, or of a notice that comes before it. */
  const end = (byTerm: boolean): DueRule<Subject> => ({
    at: ({ row }) => (byTerm === isByTerm(row) ? row.endsAt : null),
    act: ({ row }, now) => endings.endByTime(row.id, now),
  })

  const rules: Readonly<Record<AgreementDue, DueRule<Subject>>> = {
    silence_reminder: {
      at: ({ row }) => reminderAt(row.activeAt, silenceReminderDays, row.reminders),
      // Of reminders that were missed the latest alone is sent.
      act: ({ row }, now) => {
        const days = (now.getTime() - row.activeAt.getTime()) / dayMs
        const count = silenceReminderDays.filter((each) => days >= each).length
        return step(row, now, 'remind', async (of) => ({
          data: { reminders: count },
          detail: { count },
          mails: await remindMissing(of),
        }))
      },
    },
    silent: {
      at: ({ row }) => new Date(row.activeAt.getTime() + stalledAfterDays * dayMs),
      act: ({ row }, now) =>
        step(row, now, 'stall', ({ row: locked }) => ({
          change: 'stalled',
          mails: bothSides(locked, (side) => ({
            template: 'agreement-stalled',
            to: 'side',
            side,
            props: { withdrawnAt: after(locked.activeAt, withdrawnAfterDays) },
          })),
        })),
    },
    stalled_too_long: {
      at: ({ row }) => new Date(row.activeAt.getTime() + withdrawnAfterDays * dayMs),
      act: ({ row }, now) =>
        step(row, now, 'lapse', async (of) => {
          const reason = 'Nobody moved it for 60 days.'
          await reoffers.dropAmendment(of)
          return { ...closed(of.row, reason), data: closing(of.now, reason) }
        }),
    },
    end_reminder: {
      at: ({ row }) => reminderBefore(row.endsAt, expiryReminderDays, row.remindedDays),
      act: async ({ row }, now) => {
        const days = row.endsAt && passedReminder(row.endsAt, now)
        if (days === null) return false
        return step(row, now, 'remind_expiry', ({ row: locked }) => ({
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
      },
    },
    notice_over: end(false),
    term_over: end(true),
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

  /** Once, when the day of returning or destroying is over and nobody attested it. */
  const returnReminder: DueRule<Subject> = {
    at: ({ task }) =>
      task === null || task.attestedAt !== null || task.remindedAt !== null ? null : task.dueAt,
    act: ({ row, task }, now) =>
      prisma.$transaction(async (tx) => {
        const { count } = await tx.agreementReturnTask.updateMany({
          where: { agreementId: row.id, attestedAt: null, remindedAt: null },
          data: { remindedAt: now },
        })
        const told = bothSides(row, (side) => ({
          template: 'agreement-return-due',
          to: 'side',
          side,
          props: { dueAt: (task?.dueAt ?? now).toISOString(), yours: side === 'developer' },
        }))
        if (count > 0) await mails.send(tx, row, { told, actor: null, now })
        return count > 0
      }),
  }

  const subjects: DueSubjects<Subject> = {
    table: 'agreement',
    load,
    rules: ({ row }) => [...rulesOf(agreementWorkflow.rows, row.state, rules), returnReminder],
  }

  /** A step on what was read before: if somebody was faster, theirs counts. */
  async function step(
    { id, version }: Agreement,
    now: Date,
    event: 'remind' | 'remind_expiry' | 'stall' | 'lapse',
    work: (of: AgreementCase) => Promise<AgreementWork> | AgreementWork,
  ): Promise<true> {
    await walk.transact((tx) =>
      walk.lockedIn(tx, { agreementId: id }, { actor: null, now }, (of) =>
        walk.advance({ ...of, party: systemParty }, event, work, { version }),
      ),
    )
    return true
  }

  /** @see Agreements.tick */
  return { tick: (now: Date, batch?: number) => runDue({ prisma, log }, subjects, now, batch) }
}

async function load(db: Prisma.TransactionClient, id: string): Promise<Subject> {
  const { returnTask, ...row } = await db.agreement.findUniqueOrThrow({
    where: { id },
    include: { returnTask: true },
  })
  return { row, task: returnTask }
}

function isByTerm({ endsAt, expiresAt }: Agreement): boolean {
  return endsAt !== null && expiresAt !== null && endsAt >= expiresAt
}

/** As people count: what is left of the last day is a day. */
function daysLeft({ endsAt }: Agreement, now: Date): number {
  return Math.max(1, Math.ceil(((endsAt?.getTime() ?? 0) - now.getTime()) / dayMs))
}

function bothSides(row: Agreement, make: (side: SigningSide) => ToldMail): readonly ToldMail[] {
  return sidesOf[row.kind as AgreementKind].filter((side) => side !== 'service').map(make)
}

/** Whose signature on the offered version is still to come. */
async function missingSides(
  tx: Prisma.TransactionClient,
  row: Pick<Agreement, 'id' | 'kind' | 'number'>,
): Promise<readonly SigningSide[]> {
  const signed = await tx.agreementSignature.findMany({
    where: { agreementId: row.id, number: row.number },
    select: { side: true },
  })
  return sidesOf[row.kind as AgreementKind].filter((side) => !signed.some((each) => each.side === side))
}
