/** An answer of the door, read for people: its parts, its budgets, and how it compares with the document. */
import type { OperationRow } from '../../contract/operations.ts'
import { errorSchema } from '../../contract/records.ts'
import { type Comparison, compareWithSchema } from '../../contract/schema-comparison.ts'

export type ExplorerAnswer = Readonly<{
  status: number
  durationMs: number
  bytes: number
  headers: readonly (readonly [name: string, value: string])[]
  mediaType: string
  /** The beginning of it, where it is long. */
  text: string
  shortened: boolean
  /** Null for what is not JSON, or was too long to be looked at. */
  comparison: Comparison | null
  correlationId: string | null
  budgets: readonly Budget[]
  retryAfterSeconds: number | null
}>

export type Budget = Readonly<{ name: string; seconds: number; requests: number; remaining: number }>

/** More is not shown; it is counted all the same. */
const shownBytesMax = 262_144

export async function readAnswer(
  response: Response,
  row: OperationRow,
  durationMs: number,
): Promise<ExplorerAnswer> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const shortened = bytes.length > shownBytesMax
  const text = new TextDecoder().decode(shortened ? bytes.subarray(0, shownBytesMax) : bytes)
  const mediaType = (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? ''
  const value = mediaType === 'application/json' && !shortened ? parse(text) : undefined
  const schema = response.ok ? row.response : errorSchema
  const retryAfter = Number(response.headers.get('retry-after') ?? 'none')
  return {
    status: response.status,
    durationMs,
    bytes: bytes.length,
    headers: [...response.headers].map(([name, each]) => [name, each] as const),
    mediaType,
    text,
    shortened,
    comparison: value === undefined ? null : compareWithSchema(schema, value),
    correlationId: response.headers.get('x-correlation-id'),
    budgets: budgetsOf(response.headers),
    retryAfterSeconds: Number.isNaN(retryAfter) ? null : retryAfter,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10 */
function budgetsOf(headers: Headers): Budget[] {
  const left = new Map(
    [...(headers.get('ratelimit') ?? '').matchAll(/"(\w+)";r=(\d+)/g)].map(([, name, r]) => [
      name,
      Number(r),
    ]),
  )
  const policies = [...(headers.get('ratelimit-policy') ?? '').matchAll(/"(\w+)";q=(\d+);w=(\d+)/g)]
  return policies.map(([, name = '', requests, seconds]) => ({
    name,
    seconds: Number(seconds),
    requests: Number(requests),
    remaining: left.get(name) ?? 0,
  }))
}
