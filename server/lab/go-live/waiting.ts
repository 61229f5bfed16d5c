/** What a caller does after it was refused: waits, or comes again at once. Pure; rows are oldest first. */
import type { ConductRow } from '../../audit/activity-log.ts'
import { goLiveBounds } from '../../contract/lab/go-live-checks.ts'

/** The result of one go-live check. */
export type Finding = Readonly<{
  /** `unseen`: nothing that happened tells. */
  state: 'good' | 'act' | 'unseen'
  /** What was seen, in a sentence. */
  seen: string
}>

export const good = (seen: string): Finding => ({ state: 'good', seen })
export const act = (seen: string): Finding => ({ state: 'act', seen })
export const unseen = (seen: string): Finding => ({ state: 'unseen', seen })

/** After a 5xx without `Retry-After`. */
const faultSeconds = 1

export function checkLimits(rows: readonly ConductRow[]): Finding {
  const { refusals, hasty } = hastyAfter(rows, ({ status }) => status === 429, 1)
  if (refusals === 0) return unseen('No call exceeded a limit. Exceed one on purpose to test this.')
  return hasty === 0
    ? good(`Asked to wait ${times(refusals)}, and waited each time.`)
    : act(`Asked to wait ${times(refusals)}. After ${hasty} of them, the next call came too early.`)
}

export function checkFaults(rows: readonly ConductRow[]): Finding {
  const { refusals, hasty } = hastyAfter(rows, ({ status }) => status >= 500, faultSeconds)
  if (refusals === 0) return unseen('No call met a fault. Inject one in the Fault Lab to test this.')
  return hasty === 0
    ? good(`Met a fault ${times(refusals)}, and waited each time.`)
    : act(`Met a fault ${times(refusals)}. After ${hasty} of them, the next call came immediately.`)
}

/** Refusals in a row of one credential, with none served in between. */
export function checkCredentials(rows: readonly ConductRow[]): Finding {
  if (rows.length === 0) return unseen('No calls.')
  let longest = 0
  for (const calls of byCredential(rows)) {
    let row = 0
    for (const { status, count } of calls) {
      row = status === 401 ? row + count : 0
      longest = Math.max(longest, row)
    }
  }
  if (longest === 0) return good('No credential was refused.')
  return longest < goLiveBounds.unauthorizedInARow
    ? good(`A refused credential was sent at most ${times(longest)} in a row.`)
    : act(`A refused credential was sent ${times(longest)} in a row.`)
}

/**
 * A refusal is one with those that followed within the moment in which calls were under way. Who then calls before the
 * seconds are over was hasty.
 */
function hastyAfter(
  rows: readonly ConductRow[],
  isRefused: (row: ConductRow) => boolean,
  secondsElse: number,
): { refusals: number; hasty: number } {
  let refusals = 0
  let hasty = 0
  for (const calls of byCredential(rows)) {
    let waiting: { underWayUntil: number; until: number } | null = null
    for (const call of calls) {
      const at = call.at.getTime()
      if (waiting !== null && at > waiting.underWayUntil) {
        if (at < waiting.until) hasty += 1
        waiting = null
      }
      if (!isRefused(call)) continue
      // A flood that was folded into one row did not wait.
      if (call.count > 1) hasty += 1
      if (waiting !== null) continue
      refusals += 1
      const seconds = call.retryAfterSeconds ?? secondsElse
      waiting = { underWayUntil: at + goLiveBounds.underWayMs, until: at + seconds * 1_000 }
    }
  }
  return { refusals, hasty: Math.min(hasty, refusals) }
}

function byCredential(rows: readonly ConductRow[]): Iterable<readonly ConductRow[]> {
  const found = new Map<string, ConductRow[]>()
  for (const row of rows) {
    const known = found.get(row.credential)
    if (known) known.push(row)
    else found.set(row.credential, [row])
  }
  return found.values()
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count.toLocaleString('en-US')} times`
}
