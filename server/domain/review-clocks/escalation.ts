/** Whom a clock of a review tells, and when: the same for everything that reviewers decide. */
import type { MailProps } from '../../../emails/registry.ts'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { registrationTimes } from '../../contract/registration-workflow.ts'
import type { Mail } from '../../mail/mail.ts'
import {
  isOverdue,
  type OfficeCalendar,
  type RunningClock,
  usedPercent,
} from '../business-days/business-days.ts'
import { addDays, type CalendarDate } from '../business-days/calendar-date.ts'

const { escalateReviewerPercent, escalateReviewersPercent } = registrationTimes

/** Percent of a clock; 100: overdue. */
export type EscalationLevel = 60 | 80 | 100

type StaffReader = Readonly<{ id: string; name: string; email: string }>

/** What is due to be told of a running clock; a worker that was away tells the highest alone. */
export function dueLevel(clock: RunningClock, today: CalendarDate): 0 | EscalationLevel {
  if (isOverdue(clock, today)) return 100
  const percent = usedPercent(clock, today)
  if (percent >= escalateReviewersPercent) return 80
  return percent >= escalateReviewerPercent ? 60 : 0
}

/** The beginning of the date on which the next level is reached. Null for a clock that stands still, or told all. */
export function nextLevelAt(clock: RunningClock, told: number, calendar: OfficeCalendar): Date | null {
  if (clock.pausedOn !== null || told >= 100) return null
  let date = clock.receivedOn
  while (dueLevel(clock, date) <= told) date = addDays(date, 1)
  return new Date(calendar.endOf(addDays(date, -1)).getTime() + 1_000)
}

/**
 * 60 percent: whoever has it, else every reviewer. 80: every reviewer. Overdue: operations too.
 * @param opsAt80 operations hear of it at 80 percent already
 */
export async function tellOfClock(
  tx: Prisma.TransactionClient,
  mail: Pick<Mail, 'enqueue'>,
  of: {
    level: EscalationLevel
    opsAt80: boolean
    holderId: string | null
    /** Whose app or key it is. */
    organizationId: string
    props: Pick<MailProps<'review-escalation'>, 'about' | 'appName' | 'clockName' | 'dueAt' | 'requestId'>
  },
): Promise<void> {
  const { level, props } = of
  const reviewers = await findStaff(tx, 'reviewer')
  const holder = reviewers.find(({ id }) => id === of.holderId) ?? null
  const ops = level === 100 || (level === 80 && of.opsAt80) ? await findStaff(tx, 'ops') : []
  const told = level === 60 && holder ? [holder] : [...reviewers, ...ops]
  const { name: organizationName } = await tx.organization.findUniqueOrThrow({
    where: { id: of.organizationId },
    select: { name: true },
  })
  for (const { name, email } of told)
    await mail.enqueue(tx, {
      template: 'review-escalation',
      to: email,
      threadId: props.requestId,
      props: { ...props, organizationName, name, percent: level, holder: holder?.name ?? null },
    })
}

export async function findStaff(
  tx: Prisma.TransactionClient,
  role: 'reviewer' | 'ops',
): Promise<readonly StaffReader[]> {
  return tx.account.findMany({
    where: { realm: 'staff', staffRole: role, disabledAt: null },
    select: { id: true, name: true, email: true },
    orderBy: { id: 'asc' },
  })
}
