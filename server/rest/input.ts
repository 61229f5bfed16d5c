/** Parsed at the threshold: what a handler gets has been checked against its row. */
import type { z } from 'zod'
import { limits } from '../contract/http/limits.ts'
import { Problem } from '../contract/http/problems.ts'
import type { OperationRow } from '../contract/rest/operations.ts'
import { readJson } from '../http/body.ts'
import { checkQuery, parseQuery, searchOf, truncate } from '../http/query.ts'
import type { Call } from './call.ts'
import { choosePurpose } from './key-access.ts'

type Input = { params: unknown; query: unknown; body: unknown }

/**
 * In this order: content type (415), size (413), JSON (400), purpose, query, body, and last the path, whose
 * parameters are not wrong but not found.
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

/** Visible ASCII, so that one text is one key to everybody. */
function parseIdempotencyKey(header: string | null): string | null {
  if (header === null || (/^[!-~]+$/.test(header) && header.length <= limits.idempotencyKeyMax)) return header
  throw new Problem('validation', {
    message: `Idempotency-Key must have 1 to ${limits.idempotencyKeyMax} visible ASCII characters.`,
    field: 'Idempotency-Key',
  })
}

/** Names the fields, never repeats their values. */
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
    // Goes into the log: known fields only stand first in a path.
    field: String(issues[0]?.path[0] ?? 'body'),
  })
}

/** `address.0.city`, and of a caller's own name as much as fits. */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.map((part) => truncate(String(part))).join('.')
}
