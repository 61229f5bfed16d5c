/** The steps between a good key and its operation, each of which passes or throws. */

import { Problem } from '../contract/http/problems.ts'
import type { RefusalReason } from '../contract/keys/refusal-reasons.ts'
import { findStructuralRefusal } from '../contract/rest/refusals.ts'
import { isSafeMethod } from '../http/origin-check.ts'
import { rateLimitHeaders } from '../limits/rate-limit-headers.ts'
import type { Limiter } from '../limits/windows.ts'
import type { Call } from './call.ts'

/** The key's and the practice's windows, together or not at all. */
export async function takeWindows(call: Call, limiter: Limiter): Promise<void> {
  if (call.principal === null) return
  const { keyId, limits } = call.principal
  const decision = await limiter.take([
    { window: 'restKey', subject: keyId, ...(limits !== null && { requests: limits }) },
    { window: 'restPractice', subject: call.principal.practice.id },
  ])
  if (!decision.admitted) {
    const detail: RefusalReason = decision.window === 'restKey' ? 'rate_limited_key' : 'rate_limited_practice'
    throw new Problem('rate_limited', { retryAfterSeconds: decision.retryAfterSeconds, detail })
  }
  call.budgets = decision.budgets
}

/** What no key may ever do, whatever its level and method. */
export function checkStructure(call: Call): void {
  const found = findStructuralRefusal(call.path)
  if (found === null) return
  // The log names the path by its pattern, here too: never by what was sent.
  if (call.item === null) call.edge.route = found.path
  throw new Problem('structural', { detail: `structural:${found.name}` satisfies RefusalReason })
}

/** A read-only key may POST to the MCP server, which offers it read tools only. */
export function checkLevel({ principal, method, path }: Call): void {
  if (principal?.level !== 'read_only' || isSafeMethod(method)) return
  if (method !== 'POST' || path !== '/mcp') throw new Problem('read_only')
}

/** The methods a path answers, in the order of `Allow`. */
export function allowedMethods({ item }: Call): string[] {
  const methods = [...(item?.rows.keys() ?? [])]
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
}

/** What is left of the key's windows; nothing before they were taken. */
export function budgetHeaders({ budgets }: Call): Record<string, string> {
  return budgets.length === 0 ? {} : rateLimitHeaders(budgets, 'restKey')
}
