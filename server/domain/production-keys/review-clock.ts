/** The clock of a review, in business days. Its columns are on the request. */
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import {
  type ProductionKeyTransition,
  productionKeyTimes,
} from '../../contract/workflows/production-key-workflow.ts'
import {
  isOverdue,
  type OfficeCalendar,
  pauseClock,
  type RunningClock,
  remainingDays,
  resumeClock,
  startClock,
  usedDays,
} from '../business-days/business-days.ts'
import type { Core } from '../core.ts'
import { type EscalationLevel, notifyDeadline } from '../review-clocks/escalation.ts'

type ClockColumns = Pick<
  ProductionKeyRequest,
  | 'clockReceivedOn'
  | 'clockDueOn'
  | 'clockDueAt'
  | 'clockPausedOn'
  | 'clockRemaining'
  | 'clockStoppedAt'
  | 'clockUsedDays'
  | 'clockBreachedAt'
>
type ClockData = Pick<
  Prisma.ProductionKeyRequestUncheckedUpdateManyInput,
  keyof ClockColumns | 'clockEscalated'
>

const days = productionKeyTimes.reviewBusinessDays

/** Returns the columns that a step's effect on the clock changes. */
export function moveClock(
  row: ClockColumns,
  effect: ProductionKeyTransition['clock'],
  calendar: OfficeCalendar,
  now: Date,
): ClockData {
  const today = calendar.dateOf(now)
  if (effect === 'start')
    return {
      ...toColumns(startClock(today, days), calendar),
      clockStoppedAt: null,
      clockUsedDays: null,
      clockEscalated: 0,
      clockBreachedAt: null,
    }
  const clock = readClock(row)
  if (!effect || clock === null || row.clockStoppedAt !== null) return {}
  if (effect === 'pause') return toColumns(pauseClock(clock, today), calendar)
  if (effect === 'resume') return toColumns(resumeClock(clock, today), calendar)
  return {
    clockStoppedAt: now,
    clockUsedDays: usedDays(clock, today),
    // The job that records a missed deadline may not have run yet.
    ...(isOverdue(clock, today) && !row.clockBreachedAt ? { clockBreachedAt: now } : {}),
  }
}

function toColumns({ receivedOn, dueOn, pausedOn, remaining }: RunningClock, calendar: OfficeCalendar) {
  return {
    clockReceivedOn: receivedOn,
    clockDueOn: dueOn,
    clockDueAt: calendar.endOf(dueOn),
    clockPausedOn: pausedOn,
    clockRemaining: remaining,
  }
}

/** Null before the clock was started. */
export function readClock(row: ClockColumns): RunningClock | null {
  const { clockReceivedOn: receivedOn, clockDueOn: dueOn } = row
  if (receivedOn === null || dueOn === null) return null
  return { days, receivedOn, dueOn, pausedOn: row.clockPausedOn, remaining: row.clockRemaining }
}

/** The clock as pages show it; null before it was started. */
export function viewClock(row: ClockColumns, calendar: OfficeCalendar, now: Date) {
  const clock = readClock(row)
  if (clock === null || row.clockDueAt === null) return null
  const today = calendar.dateOf(row.clockStoppedAt ?? now)
  return {
    state: row.clockStoppedAt ? 'stopped' : clock.pausedOn ? 'paused' : 'running',
    days,
    dueAt: row.clockDueAt,
    usedDays: row.clockUsedDays ?? usedDays(clock, today),
    remainingDays: remainingDays(clock, today),
    overdue: isOverdue(clock, today),
  } as const
}

// Emails to staff before the five business days of a review end, and when they have ended.

const clockName = 'Production key: decided'

/** Sends each level once. @returns whether an email was sent now */
export async function escalate(
  { prisma, mail, portalAudit, log }: Pick<Core, 'prisma' | 'mail' | 'portalAudit' | 'log'>,
  earlierRow: ProductionKeyRequest,
  level: EscalationLevel,
  now: Date,
): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    // Only while the row is unchanged: a decision, a question or a concurrent run makes the email obsolete.
    const { count } = await tx.productionKeyRequest.updateMany({
      where: {
        id: earlierRow.id,
        clockStoppedAt: null,
        clockPausedOn: null,
        clockDueOn: earlierRow.clockDueOn,
        clockEscalated: { lt: level },
      },
      data: { clockEscalated: level, ...(level === 100 ? { clockBreachedAt: now } : {}) },
    })
    if (count === 0) return false
    const row = await tx.productionKeyRequest.findUniqueOrThrow({ where: { id: earlierRow.id } })
    await portalAudit.append(tx, {
      ...portalAudit.system(),
      organizationId: row.organizationId,
      ...(row.practiceId ? { practiceId: row.practiceId } : {}),
      action: level === 100 ? 'production_key.clock_breach' : `production_key.clock_${level}`,
      subject: { kind: 'production_key_request', id: row.id },
      detail: { dueOn: row.clockDueOn },
    })
    await notifyDeadline(tx, mail, {
      level,
      opsAt80: false,
      holderId: row.claimedById,
      organizationId: row.organizationId,
      props: {
        about: 'production_key',
        appName: row.name || 'A key without a name',
        clockName,
        dueAt: (row.clockDueAt ?? now).toISOString(),
        requestId: row.id,
      },
    })
    if (level === 100) log.warn({ requestId: row.id }, 'a production key request is overdue')
    return true
  })
}
