/** The steps of agreements that are due by time alone: reminders, stalls, lapses, and ends of terms and notices. */
import type { Agreement, AgreementReturnTask, Prisma } from '../../../prisma/generated/client/client.ts'
import { type AgreementDue, agreementWorkflow } from '../../contract/workflows/agreement-workflow.ts'
import { agreementTimes } from '../../contract/workflows/agreements.ts'
import type { Core } from '../core.ts'
import {
  type DueRule,
  type DueSubjects,
  reminderAt,
  reminderBefore,
  rulesOf,
  runDue,
} from '../workflow/due.ts'
import { dayMs, daysAfter, end, passedReminder } from './endings.ts'
import { closed } from './negotiation.ts'
import { transition, writeEmails } from './transition.ts'

const { silenceReminderDays, stalledAfterDays, withdrawnAfterDays, expiryReminderDays } = agreementTimes

type Subject = Readonly<{ row: Agreement; task: AgreementReturnTask | null }>

/** @returns the number of steps */
export function tick(core: Core, now: Date, batch?: number): Promise<number> {
  const rules = rulesFor(core)
  const returnReminder = returnReminderFor(core)
  const subjects: DueSubjects<Subject> = {
    table: 'agreement',
    load,
    rules: ({ row }) => [...rulesOf(agreementWorkflow.rows, row.state, rules), returnReminder],
  }
  return runDue(core, subjects, now, batch)
}

function rulesFor(core: Core): Readonly<Record<AgreementDue, DueRule<Subject>>> {
  return {
    silence_reminder: {
      at: ({ row }) => reminderAt(row.activeAt, silenceReminderDays, row.reminders),
      // If several reminders were missed, only the latest one is sent.
      act: async ({ row }, now) => {
        const days = (now.getTime() - row.activeAt.getTime()) / dayMs
        const count = silenceReminderDays.filter((due) => days >= due).length
        const stalledAt = daysAfter(row.activeAt, stalledAfterDays).toISOString()
        const withdrawnAt = daysAfter(row.activeAt, withdrawnAfterDays).toISOString()
        await transition(core, targetOf(row), 'remind', 'system', {
          effects: () => ({
            data: { reminders: count },
            detail: { count },
            emails: () => ({ 'agreement-reminder': { stalledAt, withdrawnAt } }),
          }),
        })
      },
    },
    silent: {
      at: ({ row }) => daysAfter(row.activeAt, stalledAfterDays),
      act: async ({ row }) => {
        const withdrawnAt = daysAfter(row.activeAt, withdrawnAfterDays).toISOString()
        await transition(core, targetOf(row), 'stall', 'system', {
          effects: () => ({ emails: () => ({ 'agreement-stalled': { withdrawnAt } }) }),
        })
      },
    },
    stalled_too_long: {
      at: ({ row }) => daysAfter(row.activeAt, withdrawnAfterDays),
      act: async ({ row }) => {
        const effects = closed(core, 'There was no activity for 60 days.')
        await transition(core, targetOf(row), 'lapse', 'system', { effects })
      },
    },
    end_reminder: {
      at: ({ row }) => reminderBefore(row.endsAt, expiryReminderDays, row.remindedDays),
      act: async ({ row }, now) => {
        const { endsAt } = row
        const remindedDays = endsAt && passedReminder(endsAt, now)
        if (endsAt === null || remindedDays === null) return false
        // A part of a day counts as one day.
        const days = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / dayMs))
        const renewable = row.endReason === null
        await transition(core, targetOf(row), 'remind_expiry', 'system', {
          effects: () => ({
            data: { remindedDays },
            detail: { days: remindedDays },
            emails: () => ({ 'agreement-expiring': { endsAt: endsAt.toISOString(), days, renewable } }),
          }),
        })
      },
    },
    notice_over: {
      at: ({ row }) => (isByTerm(row) ? null : row.endsAt),
      act: ({ row }, now) =>
        transition(core, targetOf(row), 'end_notice', 'system', {
          effects: (context) =>
            end(context, 'terminated', row.endReason ?? 'Notice was given.', row.endsAt ?? now),
        }),
    },
    term_over: {
      at: ({ row }) => (isByTerm(row) ? row.endsAt : null),
      act: ({ row }, now) =>
        transition(core, targetOf(row), 'expire', 'system', {
          effects: (context) => end(context, 'expired', 'Its term has ended.', row.endsAt ?? now),
        }),
    },
  }
}

/** Reminds the sides once if the data was not attested as returned or destroyed in time. */
function returnReminderFor(core: Core): DueRule<Subject> {
  return {
    at: ({ task }) =>
      task === null || task.attestedAt !== null || task.remindedAt !== null ? null : task.dueAt,
    act: ({ row, task }, now) =>
      core.prisma.$transaction(async (tx) => {
        const { count } = await tx.agreementReturnTask.updateMany({
          where: { agreementId: row.id, attestedAt: null, remindedAt: null },
          data: { remindedAt: now },
        })
        if (count === 0) return false
        const dueAt = (task?.dueAt ?? now).toISOString()
        const content = { bySide: (side: string) => ({ dueAt, yours: side === 'developer' }) }
        const email = { template: 'agreement-return-due', recipients: 'sides', content } as const
        for (const mail of await writeEmails(tx, row, email))
          await core.mail.enqueue(tx, { threadId: row.id, ...mail })
        return true
      }),
  }
}

/** Names the version that was read, so that a step of another process in the meantime is a conflict. */
function targetOf({ id, version }: Agreement) {
  return { agreementId: id, version }
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
