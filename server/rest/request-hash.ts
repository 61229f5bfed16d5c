/** Hashes a request, to compare two requests that have the same Idempotency-Key. */
import { createHash } from 'node:crypto'

/** SHA-256 of the operation and its parsed body; the order of fields does not matter. */
export function hashRequest(operationId: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(operationId)
    .update('\0')
    .update(JSON.stringify(sorted(body)))
    .digest()
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}
