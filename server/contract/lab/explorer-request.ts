/**
 * From what a person fills in at the explorer to the one request that the server will make: method, path, headers and
 * body all come from the table of operations, values only from the person. Nothing a browser names becomes an address,
 * a header or a path segment of its own. Pure, so that the page shows beforehand exactly what will be sent.
 */
import { z } from 'zod'
import { limits } from '../http/limits.ts'
import { mcpOperations } from '../mcp/operation.ts'
import { type OperationRow, operations } from '../rest/operations.ts'
import { isPurpose } from '../rest/purposes.ts'

export const explorerOperations: Readonly<Record<string, OperationRow>> = { ...operations, ...mcpOperations }

export const findOperation = (operationId: string): OperationRow | null =>
  Object.hasOwn(explorerOperations, operationId) ? (explorerOperations[operationId] ?? null) : null

const fields = z.record(z.string().max(64), z.string().max(2_000))

/** The only values that the browser may send. */
export const explorerCallSchema = z.strictObject({
  operation: z.string().max(100),
  practice: z.string().max(limits.practiceIdMax).optional(),
  level: z.enum(['read_only', 'full']).default('read_only'),
  params: fields.default({}),
  query: fields.default({}),
  headers: fields.default({}),
  body: z.unknown().optional(),
})

export type ExplorerCall = z.output<typeof explorerCallSchema>

export type BuiltRequest = Readonly<{
  method: OperationRow['method']
  /** The operation's path pattern, which may be logged. */
  pattern: string
  /** Below the base, percent-encoded, with its query. */
  path: string
  /** Without Authorization; only the server adds it. */
  headers: readonly (readonly [name: string, value: string])[]
  body: string | null
}>

export const requestRefusals = {
  malformed: 'The explorer can’t read this request. Fill in the form again.',
  unknown_operation: 'The OpenAPI document has no such operation.',
  unknown_parameter: 'The operation has no such parameter.',
  missing_parameter: 'Fill in this part of the path.',
  path_segment: 'Use 1 to 64 letters, digits, hyphens, dots, underscores or tildes.',
  control_character: 'Remove line breaks and other control characters.',
  unknown_header: 'The explorer can’t send this header, or not with this operation.',
  header_value: 'The OpenAPI document doesn’t list this value for the header.',
  body_unexpected: 'The operation takes no body.',
  body_missing: 'The operation takes a JSON body.',
  body_not_json: 'The body is not valid JSON.',
  too_large: 'The body is larger than the API allows.',
} as const

export type RequestRefusal = keyof typeof requestRefusals

type Built =
  | { kind: 'built'; request: BuiltRequest; row: OperationRow }
  /** `field` is a field name from the operation, never a name from the request. */
  | { kind: 'refused'; refusal: RequestRefusal; field: string | null }

const segment = /^[A-Za-z0-9._~-]{1,64}$/
const control = /\p{Cc}|[\u2028\u2029]/u

/** Never throws. Invalid input is refused with its first error. */
export function buildRequest(
  call: Pick<ExplorerCall, 'operation' | 'params' | 'query' | 'headers' | 'body'>,
): Built {
  const row = findOperation(call.operation)
  if (row === null) return refused('unknown_operation')
  const path = buildPath(row, call.params)
  if (typeof path !== 'string') return path
  const query = buildQuery(row, call.query)
  if (typeof query !== 'string') return query
  const headers = buildHeaders(row, call.headers)
  if (!Array.isArray(headers)) return headers as Built
  const body = buildBody(row, call.body)
  if (body !== null && typeof body !== 'string') return body
  return {
    kind: 'built',
    row,
    request: {
      method: row.method,
      pattern: row.path,
      path: path + query,
      headers: body === null ? headers : [...headers, ['Content-Type', 'application/json']],
      body,
    },
  }
}

function buildPath(row: OperationRow, params: Readonly<Record<string, string>>): string | Built {
  const names = namesOf(row.params)
  if (Object.keys(params).some((name) => !names.includes(name))) return refused('unknown_parameter')
  for (const name of names) {
    const value = params[name] ?? ''
    if (value === '') return refused('missing_parameter', name)
    if (!segment.test(value) || value === '.' || value === '..') return refused('path_segment', name)
  }
  return row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function buildQuery(row: OperationRow, query: Readonly<Record<string, string>>): string | Built {
  const names = namesOf(row.query)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (!names.includes(name)) return refused('unknown_parameter')
    if (control.test(value)) return refused('control_character', name)
    search.append(name, value)
  }
  return search.size === 0 ? '' : `?${search}`
}

/** What the explorer may send besides the key, per operation, and whether a value is one of it. */
export function headersOf(row: OperationRow): Readonly<Record<string, (value: string) => boolean>> {
  const mediaTypes: readonly string[] = row.mediaTypes ?? []
  return Object.fromEntries([
    ...(row.level === 'none' ? [] : [['X-Purpose', isPurpose] as const]),
    ...(row.level === 'full' ? [['Idempotency-Key', isIdempotencyKey] as const] : []),
    ...(mediaTypes.length > 1 ? [['Accept', (value: string) => mediaTypes.includes(value)] as const] : []),
  ])
}

const isIdempotencyKey = (value: string): boolean =>
  /^[!-~]+$/.test(value) && value.length <= limits.idempotencyKeyMax

function buildHeaders(row: OperationRow, headers: Readonly<Record<string, string>>) {
  const allowed = headersOf(row)
  const built: (readonly [string, string])[] = []
  for (const [name, value] of Object.entries(headers)) {
    const check = Object.hasOwn(allowed, name) ? allowed[name] : undefined
    if (check === undefined) return refused('unknown_header')
    if (!check(value)) return refused('header_value', name)
    built.push([name, value])
  }
  return built
}

function buildBody(row: OperationRow, body: unknown): string | null | Built {
  if (row.body === undefined) return body === undefined ? null : refused('body_unexpected')
  if (body === undefined) return refused('body_missing')
  const text = JSON.stringify(body)
  if (new TextEncoder().encode(text).length > limits.bodyBytesMax) return refused('too_large')
  return text
}

const namesOf = (schema: z.ZodObject | undefined): string[] => Object.keys(schema?.shape ?? {})

function refused(refusal: RequestRefusal, field: string | null = null): Built {
  return { kind: 'refused', refusal, field }
}
