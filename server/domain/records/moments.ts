import { refused } from './create-record.ts'

/** Clients' clocks may be ahead of ours by this much. */
const toleranceMs = 5 * 60_000

/** @throws Problem `validation` for a time in the future */
export function checkPast(field: string, moment: string | undefined, now: Date): void {
  if (moment !== undefined && Date.parse(moment) > now.getTime() + toleranceMs) {
    throw refused(field, 'must not be in the future')
  }
}
