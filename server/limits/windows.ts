/**
 * Rate limits (decision 7) with fixed windows that begin at multiples of their length. A request takes from all of its
 * windows or from none, so that a refused request does not count.
 */
import { type WindowName, type WindowRow, windowTable } from '../contract/http/limits.ts'

/** A limit that a request counts against: a row of the table and its subject. */
export type Take = {
  window: WindowName
  /** The id of the key, token or practice, or the IP address. */
  subject: string
  /** How much the request counts; 1 by default. */
  cost?: number
  /** Granted limits that replace the row's. */
  requests?: readonly [burst: number, sustained: number]
}

/** The rest of a window after an admitted request. */
export type Budget = {
  window: WindowName
  /** Length of the window. */
  seconds: number
  requests: number
  remaining: number
  /** Whole seconds until the next window begins, at least 1. */
  resetSeconds: number
}

export type Decision =
  | { admitted: true; budgets: Budget[] }
  /** `retryAfterSeconds`, at least 1, lasts until no window would refuse the request. */
  | { admitted: false; window: WindowName; retryAfterSeconds: number }

export type Limiter = {
  take(takes: readonly Take[]): Decision | Promise<Decision>
  /**
   * Seconds until an exhausted window admits requests again; null while it does. It takes nothing and sends no command, so a
   * process only knows the counts that its own calls of `take` returned.
   */
  blockedSeconds(take: Take): number | null
  /** `memory`: one process counts. `shared`: all processes count together. `per_process`: Redis is down, each counts alone. */
  state(): 'memory' | 'shared' | 'per_process'
  close(): Promise<void>
}

/** A limiter in memory that can learn the counts of another one. */
type MemoryLimiter = Limiter & {
  /** The counts of a take's windows that this process knows; 0 without a counter for the subject. */
  known(take: Take): number[]
  /** Raises the counts of a take's windows to at least these. */
  learn(take: Take, used: readonly number[]): void
}

/** The counts for one row and window length. All subjects have the same window. */
type Counts = { start: number; bySubject: Map<string, number>; overflow: Uint32Array }

const overflowSlots = 1_024

/**
 * Creates a limiter in memory.
 * @param subjectsMax further subjects of a window share 1,024 counters, so that memory stays bounded and a flood of
 *   addresses is still limited
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
    const count = counts.bySubject.get(subject)
    if (count !== undefined) return count
    return counts.bySubject.size < subjectsMax ? 0 : (counts.overflow[slotOf(subject)] as number)
  }

  function add(counts: Counts, { subject, cost = 1 }: Take): void {
    const count = counts.bySubject.get(subject)
    if (count !== undefined || counts.bySubject.size < subjectsMax)
      counts.bySubject.set(subject, (count ?? 0) + cost)
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

  function learn(one: Take, learned: readonly number[]): void {
    const now = clock().getTime()
    for (const [index, { seconds }] of windowsOf(one).entries()) {
      const counts = countsOf(one.window, seconds * 1_000, now)
      const count = counts.bySubject.get(one.subject)
      if (count === undefined && counts.bySubject.size >= subjectsMax) continue
      counts.bySubject.set(one.subject, Math.max(count ?? 0, learned[index] ?? 0))
    }
  }

  return { take, blockedSeconds, known, learn, state: () => 'memory', close: async () => {} }
}

/** The windows of a take, with the granted limits if there are any. */
export function windowsOf({ window, requests }: Take): WindowRow['windows'] {
  const { windows } = windowTable[window]
  if (requests === undefined) return windows
  return [
    { ...windows[0], requests: requests[0] },
    { ...windows[1], requests: requests[1] },
  ]
}

/** A duration for `Retry-After`: rounded up, at least 1. */
export const wholeSeconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1_000))

function slotOf(subject: string): number {
  let hash = 2_166_136_261
  for (let i = 0; i < subject.length; i++) hash = Math.imul(hash ^ subject.charCodeAt(i), 16_777_619)
  return (hash >>> 0) % overflowSlots
}

// The remaining budget of a caller in the header fields of
// https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10

const names: Record<number, string> = { 1: 'second', 60: 'minute' }

/**
 * `RateLimit-Policy` and `RateLimit` for the windows of one row. They only show the caller's own budget, because the
 * practice's would show one developer how active the others are.
 */
export function rateLimitHeaders(budgets: readonly Budget[], window: WindowName): Record<string, string> {
  const shown = budgets.filter((budget) => budget.window === window)
  return {
    'RateLimit-Policy': shown
      .map(({ seconds, requests }) => `"${names[seconds]}";q=${requests};w=${seconds}`)
      .join(', '),
    RateLimit: shown
      .map(({ seconds, remaining, resetSeconds }) => `"${names[seconds]}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  }
}
