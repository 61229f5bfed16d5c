/** Whether the logs have partitions for the months ahead: without them rows are taken, but months cannot be dropped. */
import type pg from 'pg'
import { findMonthEnds } from '../store/log-months.ts'
import { type Finding, ok, warning } from './finding.ts'

/** There are three months ahead of the present one, so fewer than this many days mean that no worker makes them. */
const daysMin = 45
const dayMs = 86_400_000

export async function checkLogMonths(pool: Pick<pg.Pool, 'query'>, now = new Date()): Promise<Finding> {
  const name = 'log months'
  // Before the first migration there are none; that is said elsewhere.
  const ends = await findMonthEnds({ pool }).catch(() => null)
  if (ends === null) return warning(name, 'cannot be looked at', 'Migrate, then run this again')
  const first = ends.toSorted((one, other) => one.end.getTime() - other.end.getTime())[0]
  if (first && first.end.getTime() - now.getTime() < daysMin * dayMs)
    return warning(
      name,
      `log.${first.log} has none from ${first.end.toISOString().slice(0, 10)} on`,
      'Look into the worker’s log for “months of the logs”, then run sandpiper migrate in a quiet hour',
    )
  return ok(name, `prepared until ${first?.end.toISOString().slice(0, 10)}`)
}
