/** Parses and checks the input of an operation against its row. */
import type { z } from 'zod'
import { limits } from '../contract/http/limits.ts'
import { Problem } from '../contract/http/problems.ts'
import type { RefusalReason } from '../contract/keys/refusal-reasons.ts'
import type { OperationRow } from '../contract/rest/operations.ts'
import { findStructuralRefusal } from '../contract/rest/refusals.ts'
import { readJson } from '../http/body.ts'
import { checkQuery, parseQuery, searchOf, truncate } from '../http/query.ts'
import { isSafeMethod } from '../http/security-headers.ts'
import { type Limiter, rateLimitHeaders } from '../limits/windows.ts'
import type { Call } from './call.ts'
import { choosePurpose } from './key-access.ts'

type Input = { params: unknown; query: unknown; body: unknown }

/**
 * Checks content type (415), size (413), JSON (400), purpose, query, body and, last, the path: an invalid path parameter is
 * a 404.
 */
export async function parseInput(call: Call, row: OperationRow, now: Date): Promise<Input> {
  const raw = row.body === undefined ? undefined : await readJson(call.request)
  call.purpose = choosePurpose(call, now)
  if (row.body !== undefined) {
    call.idempotencyKey = parseIdempotencyKey(call.request.headers.get('idempotency-key'))
  }
  const query = row.query && checkQuery(parseQuery(searchOf(call.request), row.query), row.query)
  const body = row.body && checkBody(raw, row.body)
  const params = row.params?.safeParse(call.params)
  if (params?.success === false) throw new Problem('not_found')
  return { params: params?.data ?? {}, query: query ?? {}, body }
}

/** Accepts visible ASCII only, which all clients and proxies send unchanged. */
function parseIdempotencyKey(header: string | null): string | null {
  if (header === null || (/^[!-~]+$/.test(header) && header.length <= limits.idempotencyKeyMax)) return header
  throw new Problem('validation', {
    message: `Idempotency-Key must have 1 to ${limits.idempotencyKeyMax} visible ASCII characters.`,
    field: 'Idempotency-Key',
  })
}

/** Errors name fields and never repeat values. */
export function checkBody(raw: unknown, schema: z.ZodType): unknown {
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => fieldOf([...issue.path, key])) : [],
  )
  if (unknown.length > 0) {
    throw new Problem('validation', {
      message: `Unknown field${unknown.length > 1 ? 's' : ''}: ${unknown.slice(0, 5).join(', ')}.`,
      field: 'unknown_field',
    })
  }
  const sentences = [
    ...new Set(issues.map(({ path, message }) => `${fieldOf(path) || 'The body'}: ${message}`)),
  ]
  throw new Problem('validation', {
    message: `${sentences.slice(0, 10).join('; ')}.`,
    // This is logged. The first part of a path is always a known field.
    field: String(issues[0]?.path[0] ?? 'body'),
  })
}

/** Formats a path such as `address.0.city`, with truncated names of the caller. */
const fieldOf = (path: readonly PropertyKey[]): string => path.map((part) => truncate(String(part))).join('.')

// The steps between authentication and the operation. Each one throws to refuse the request.

/** Takes from the windows of the key and the practice, or from neither. */
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

/** Refuses paths that no key may use, whatever its level and the method. */
export function checkStructure(call: Call): void {
  const found = findStructuralRefusal(call.path)
  if (found === null) return
  // The log gets the pattern and not the path that was sent.
  if (call.item === null) call.edge.route = found.path
  throw new Problem('structural', { detail: `structural:${found.name}` satisfies RefusalReason })
}

/** A read-only key may POST to the MCP server, which offers it read tools only. */
export function checkLevel({ principal, method, path }: Call): void {
  if (principal?.level !== 'read_only' || isSafeMethod(method)) return
  if (method !== 'POST' || path !== '/mcp') throw new Problem('read_only')
}

/** The methods of a path, in the order of `Allow`. */
export function allowedMethods({ item }: Call): string[] {
  const methods = [...(item?.rows.keys() ?? [])]
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
}

/** The headers of the key's rate limit; none before `takeWindows`. */
export const budgetHeaders = ({ budgets }: Call): Record<string, string> =>
  budgets.length === 0 ? {} : rateLimitHeaders(budgets, 'restKey')
