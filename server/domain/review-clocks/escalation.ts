/** Emails about review deadlines, for every kind of request. */
import type { MailProps } from '../../../emails/registry.ts'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { registrationTimes } from '../../contract/workflows/registration-workflow.ts'
import type { Mail } from '../../mail/mail.ts'
import {
  isOverdue,
  type OfficeCalendar,
  type RunningClock,
  usedPercent,
} from '../business-days/business-days.ts'
import { addDays, type CalendarDate } from '../business-days/calendar-date.ts'

const { escalateReviewerPercent, escalateReviewersPercent } = registrationTimes

/** Percent of a clock; 100 means overdue. */
export type EscalationLevel = 60 | 80 | 100

/** The level to send for a running clock. After an outage of the worker only the highest one is sent. */
export function dueLevel(clock: RunningClock, today: CalendarDate): 0 | EscalationLevel {
  if (isOverdue(clock, today)) return 100
  const percent = usedPercent(clock, today)
  if (percent >= escalateReviewersPercent) return 80
  return percent >= escalateReviewerPercent ? 60 : 0
}

/** The start of the date on which the next level is reached; null if the clock is paused, or all levels were sent. */
export function nextLevelAt(clock: RunningClock, notifiedLevel: number, calendar: OfficeCalendar) {
  if (clock.pausedOn !== null || notifiedLevel >= 100) return null
  let date = clock.receivedOn
  while (dueLevel(clock, date) <= notifiedLevel) date = addDays(date, 1)
  return new Date(calendar.endOf(addDays(date, -1)).getTime() + 1_000)
}

/**
 * At 60 percent, the reviewer who holds the request gets the email, or else every reviewer. At 80, every reviewer does.
 * If it is overdue, operations do too; with `opsAt80` already at 80 percent.
 */
export async function notifyDeadline(
  tx: Prisma.TransactionClient,
  mail: Pick<Mail, 'enqueue'>,
  deadline: {
    level: EscalationLevel
    opsAt80: boolean
    holderId: string | null
    /** The organization of the app or key. */
    organizationId: string
    props: Pick<MailProps<'review-escalation'>, 'about' | 'appName' | 'clockName' | 'dueAt' | 'requestId'>
  },
): Promise<void> {
  const { level, props } = deadline
  const reviewers = await findStaff(tx, 'reviewer')
  const holder = reviewers.find(({ id }) => id === deadline.holderId) ?? null
  const ops = level === 100 || (level === 80 && deadline.opsAt80) ? await findStaff(tx, 'ops') : []
  const recipients = level === 60 && holder ? [holder] : [...reviewers, ...ops]
  const { name: organizationName } = await tx.organization.findUniqueOrThrow({
    where: { id: deadline.organizationId },
    select: { name: true },
  })
  for (const { name, email } of recipients)
    await mail.enqueue(tx, {
      template: 'review-escalation',
      to: email,
      threadId: props.requestId,
      props: { ...props, organizationName, name, percent: level, holder: holder?.name ?? null },
    })
}

export async function findStaff(tx: Prisma.TransactionClient, role: 'reviewer' | 'ops') {
  return tx.account.findMany({
    where: { realm: 'staff', staffRole: role, disabledAt: null },
    select: { id: true, name: true, email: true },
    orderBy: { id: 'asc' },
  })
}
