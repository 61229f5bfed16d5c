/**
 * Take or refuse (decision 7). Fixed windows that begin at whole multiples of their length; all windows
 * of a request are checked and taken together or not at all, so that a refused request costs nothing.
 */
import { type WindowName, type WindowRow, windowTable } from '../contract/http/limits.ts'

/** One thing a request is counted against: a row of the table, and whom. */
export type Take = {
  window: WindowName
  /** Key id, practice id or address. */
  subject: string
  /** What the request counts; 1 by default. */
  cost?: number
  /** Higher limits granted on request, in place of the row's own. */
  requests?: readonly [burst: number, sustained: number]
}

/** What is left of one window after a request was admitted. */
export type Budget = {
  window: WindowName
  /** Length of the window. */
  seconds: number
  requests: number
  remaining: number
  /** Until the next window begins; whole seconds, at least 1. */
  resetSeconds: number
}

export type Decision =
  | { admitted: true; budgets: Budget[] }
  /** `retryAfterSeconds`: until the earliest instant at which every refusing window admits; at least 1. */
  | { admitted: false; window: WindowName; retryAfterSeconds: number }

export type Limiter = {
  take(takes: readonly Take[]): Decision | Promise<Decision>
  /**
   * Seconds until a window that is used up admits again, or null while it still admits. Takes nothing
   * and asks no one: several processes know of a window only what they were told by `take`.
   */
  blockedSeconds(take: Take): number | null
  /** `memory`: one process counts. `shared`: all processes together. `per_process`: Redis is away, each counts for itself. */
  state(): 'memory' | 'shared' | 'per_process'
  close(): Promise<void>
}

/** Counts in this process, which can be told what another counter knows. */
type MemoryLimiter = Limiter & {
  /** What is used of each window of a take, as far as this process knows; 0 where it keeps no count of its own. */
  known(take: Take): number[]
  /** So much of each window is used at least. */
  learn(take: Take, used: readonly number[]): void
}

/** The counts of one row and length; since all windows begin together, they end together. */
type Counts = { start: number; bySubject: Map<string, number>; overflow: Uint32Array }

const overflowSlots = 1_024

/**
 * Counts in this process.
 * @param subjectsMax beyond so many different subjects in one window, newcomers share 1,024 counters:
 *   memory stays bounded, and a flood of addresses is limited rather than let through
 */
export function createMemoryLimiter({
  clock,
  subjectsMax = 50_000,
}: {
  clock: () => Date
  subjectsMax?: number
}): MemoryLimiter {
  const tables = new Map<string, Counts>()

  function countsOf(window: WindowName, milliseconds: number, now: number): Counts {
    const name = `${window}/${milliseconds}`
    const start = now - (now % milliseconds)
    let counts = tables.get(name)
    if (counts === undefined) {
      counts = { start, bySubject: new Map(), overflow: new Uint32Array(overflowSlots) }
      tables.set(name, counts)
    } else if (counts.start !== start) {
      counts.start = start
      counts.bySubject.clear()
      counts.overflow.fill(0)
    }
    return counts
  }

  const used = (counts: Counts, subject: string): number => {
    const own = counts.bySubject.get(subject)
    if (own !== undefined) return own
    return counts.bySubject.size < subjectsMax ? 0 : (counts.overflow[slotOf(subject)] as number)
  }

  function add(counts: Counts, { subject, cost = 1 }: Take): void {
    const own = counts.bySubject.get(subject)
    if (own !== undefined || counts.bySubject.size < subjectsMax)
      counts.bySubject.set(subject, (own ?? 0) + cost)
    else (counts.overflow[slotOf(subject)] as number) += cost
  }

  function take(takes: readonly Take[]): Decision {
    const now = clock().getTime()
    const budgets: Budget[] = []
    let refusal: { window: WindowName; milliseconds: number } | null = null
    for (const one of takes) {
      for (const { seconds, requests } of windowsOf(one)) {
        const counts = countsOf(one.window, seconds * 1_000, now)
        const remaining = requests - used(counts, one.subject) - (one.cost ?? 1)
        const wait = counts.start + seconds * 1_000 - now
        budgets.push({ window: one.window, seconds, requests, remaining, resetSeconds: wholeSeconds(wait) })
        if (remaining < 0 && (refusal === null || wait > refusal.milliseconds)) {
          refusal = { window: one.window, milliseconds: wait }
        }
      }
    }
    if (refusal !== null) {
      return {
        admitted: false,
        window: refusal.window,
        retryAfterSeconds: wholeSeconds(refusal.milliseconds),
      }
    }
    for (const one of takes) {
      for (const { seconds } of windowsOf(one)) add(countsOf(one.window, seconds * 1_000, now), one)
    }
    return { admitted: true, budgets }
  }

  function blockedSeconds(one: Take): number | null {
    const now = clock().getTime()
    let longest = 0
    for (const { seconds, requests } of windowsOf(one)) {
      const counts = countsOf(one.window, seconds * 1_000, now)
      if (used(counts, one.subject) >= requests)
        longest = Math.max(longest, counts.start + seconds * 1_000 - now)
    }
    return longest === 0 ? null : wholeSeconds(longest)
  }

  function known(one: Take): number[] {
    const now = clock().getTime()
    return windowsOf(one).map(
      ({ seconds }) => countsOf(one.window, seconds * 1_000, now).bySubject.get(one.subject) ?? 0,
    )
  }

  function learn(one: Take, told: readonly number[]): void {
    const now = clock().getTime()
    for (const [index, { seconds }] of windowsOf(one).entries()) {
      const counts = countsOf(one.window, seconds * 1_000, now)
      const own = counts.bySubject.get(one.subject)
      if (own === undefined && counts.bySubject.size >= subjectsMax) continue
      counts.bySubject.set(one.subject, Math.max(own ?? 0, told[index] ?? 0))
    }
  }

  return { take, blockedSeconds, known, learn, state: () => 'memory', close: async () => {} }
}

/** The windows of a take, with the limits that were granted in place of the table's. */
export function windowsOf({ window, requests }: Take): WindowRow['windows'] {
  const { windows } = windowTable[window]
  if (requests === undefined) return windows
  return [
    { ...windows[0], requests: requests[0] },
    { ...windows[1], requests: requests[1] },
  ]
}

/** A wait as `Retry-After` says it: rounded up, never 0. */
export const wholeSeconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1_000))

function slotOf(subject: string): number {
  let hash = 2_166_136_261
  for (let i = 0; i < subject.length; i++) hash = Math.imul(hash ^ subject.charCodeAt(i), 16_777_619)
  return (hash >>> 0) % overflowSlots
}

// The budget a caller has left, in the header fields of
// https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10

const names: Record<number, string> = { 1: 'second', 60: 'minute' }

/**
 * `RateLimit-Policy` and `RateLimit` of one row's windows. A caller is shown its own budget only:
 * what is left of the practice's would tell one developer how busy another is.
 */
export function rateLimitHeaders(budgets: readonly Budget[], window: WindowName): Record<string, string> {
  const own = budgets.filter((budget) => budget.window === window)
  return {
    'RateLimit-Policy': own
      .map(({ seconds, requests }) => `"${names[seconds]}";q=${requests};w=${seconds}`)
      .join(', '),
    RateLimit: own
      .map(({ seconds, remaining, resetSeconds }) => `"${names[seconds]}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  }
}
