/** The two ids of a request: a new one of ours, and the client's if it is well formed. */
import { randomUUID } from 'node:crypto'
import { limits } from '../contract/http/limits.ts'
import { keyPattern } from '../contract/keys/key-format.ts'

const wellFormed = new RegExp(`^[A-Za-z0-9._-]{1,${limits.clientCorrelationIdMax}}$`)

/** UUID version 7, so that the logs' indexes grow at one end. https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-7 */
export function newCorrelationId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** The client's `X-Correlation-Id`; null if it is missing, malformed or an API key. */
export function clientCorrelationId(headers: Headers): string | null {
  const header = headers.get('x-correlation-id')
  return header !== null && wellFormed.test(header) && !keyPattern.test(header) ? header : null
}
