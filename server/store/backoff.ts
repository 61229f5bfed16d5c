/** Pauses between attempts: each up to twice as long as the one before, and never the same for two processes. */

export type Backoff = {
  /** Milliseconds until the next attempt. */
  next(): number
  reset(): void
}

type BackoffOptions = {
  firstMs?: number
  /** A pause is never longer: so much later than the database the application is back. */
  maxMs?: number
  random?: () => number
}

export function createBackoff({
  firstMs = 100,
  maxMs = 2_000,
  random = Math.random,
}: BackoffOptions = {}): Backoff {
  let attempts = 0
  return {
    next() {
      const longest = Math.min(maxMs, firstMs * 2 ** attempts)
      attempts = Math.min(attempts + 1, 30)
      return Math.round(longest * (0.5 + random() / 2))
    },
    reset() {
      attempts = 0
    },
  }
}
