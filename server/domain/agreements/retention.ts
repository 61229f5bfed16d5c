/** How long an executed document is kept: until six years after the last day on which it was in force. */
import { agreementTimes } from '../../contract/agreements.ts'

export function retainUntil(lastEffectiveAt: Date): Date {
  const until = new Date(lastEffectiveAt)
  until.setUTCFullYear(until.getUTCFullYear() + agreementTimes.retentionYears)
  return until
}
