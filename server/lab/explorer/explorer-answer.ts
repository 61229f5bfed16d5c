/** An answer of the interface, read for people: its parts, its budgets, and how it compares with the document. */
import { type AnswerHead, readAnswerHead } from '../../contract/http/answer-head.ts'
import type { OperationRow } from '../../contract/rest/operations.ts'
import { errorSchema } from '../../contract/rest/records.ts'
import { type Comparison, compareWithSchema } from '../../contract/rest/schema-comparison.ts'

export type ExplorerAnswer = AnswerHead &
  Readonly<{
    status: number
    durationMs: number
    bytes: number
    /** The beginning of it, where it is long. */
    text: string
    shortened: boolean
    /** Null for what is not JSON, or was too long to be looked at. */
    comparison: Comparison | null
  }>

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
  const head = readAnswerHead(response.headers)
  const value = head.mediaType === 'application/json' && !shortened ? parse(text) : undefined
  const schema = response.ok ? row.response : errorSchema
  return {
    ...head,
    status: response.status,
    durationMs,
    bytes: bytes.length,
    text,
    shortened,
    comparison: value === undefined ? null : compareWithSchema(schema, value),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
