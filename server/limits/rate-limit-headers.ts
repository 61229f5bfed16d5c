/**
 * The budget a caller has left, in the header fields of
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10
 */
import type { WindowName } from '../contract/http/limits.ts'
import type { Budget } from './windows.ts'

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
