/** Days of an agreement: how long the document is kept, and which reminders of its end are past already. */
import { agreementTimes } from '../../contract/workflows/agreements.ts'

export const dayMs = 86_400_000

export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * dayMs)
}

/** Until six years after the last day on which it was in force. */
export function retainUntil(lastEffectiveAt: Date): Date {
  const until = new Date(lastEffectiveAt)
  until.setUTCFullYear(until.getUTCFullYear() + agreementTimes.retentionYears)
  return until
}

/**
 * The reminder before that end which would have been due last, in days before it: none is sent late. Null when all
 * are still to come.
 */
export function passedReminder(endsAt: Date, now: Date): number | null {
  const left = (endsAt.getTime() - now.getTime()) / dayMs
  const passed = agreementTimes.expiryReminderDays.filter((days) => left <= days)
  return passed.length > 0 ? Math.min(...passed) : null
}
