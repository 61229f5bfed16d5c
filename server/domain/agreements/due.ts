/** What happens to agreements by time alone: reminders, what stalls and lapses, ends of terms and of notices. */
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

/** Reminders, expiries, ends of notices, what was silent too long. The job calls it. @returns steps made */
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
      // Of reminders that were missed the latest alone is sent.
      act: async ({ row }, now) => {
        const days = (now.getTime() - row.activeAt.getTime()) / dayMs
        const count = silenceReminderDays.filter((each) => days >= each).length
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
        // As people count: what is left of the last day is a day.
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
          effects: (of) => end(of, 'terminated', row.endReason ?? 'Notice was given.', row.endsAt ?? now),
        }),
    },
    term_over: {
      at: ({ row }) => (isByTerm(row) ? row.endsAt : null),
      act: ({ row }, now) =>
        transition(core, targetOf(row), 'expire', 'system', {
          effects: (of) => end(of, 'expired', 'Its term has ended.', row.endsAt ?? now),
        }),
    },
  }
}

/** Once, when the day of returning or destroying is over and no one attested it. */
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
        for (const each of await writeEmails(tx, row, email))
          await core.mail.enqueue(tx, { threadId: row.id, ...each })
        return true
      }),
  }
}

/** A step on a row that was read before: an earlier step of another process counts. */
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
