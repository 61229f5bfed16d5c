/** What each `code` of the REST API's error envelope means and what to do about it; the documentation shows this table. */
import { type ProblemRow, problems, type RestCode } from '../http/problems.ts'

type ErrorCodeRow = Readonly<{
  /** When it is answered. */
  when: string
  /** What the caller should do. */
  fix: string
  /** Whether the same request may succeed later. */
  retry: 'never' | 'after Retry-After' | 'with backoff'
}>

export const errorCodes: Readonly<Record<RestCode, ErrorCodeRow>> = {
  validation: {
    when: 'A parameter, header or body field is unknown, missing or malformed; a reference points to no record of the practice; a medical record number is taken; or an Idempotency-Key was used for another request.',
    fix: 'The message names the field and its requirement. It never repeats values, so it is safe to log.',
    retry: 'never',
  },
  malformed_json: {
    when: 'The body is not JSON in UTF-8, repeats a name in one object, has a name __proto__, is nested too deeply, or contains a number that parsers may read differently.',
    fix: 'Write the body with a JSON library. Send large numbers as strings where the field is a string.',
    retry: 'never',
  },
  unauthorized: {
    when: 'The key is missing, unknown, mistyped, expired, revoked or suspended, belongs to the other base (sandbox or production), is used from outside its networks, or its practice is suspended. The response never says which.',
    fix: 'Send Authorization: Bearer and the complete key. The key’s owner finds the real reason in the key’s activity, by correlation ID.',
    retry: 'never',
  },
  forbidden: {
    when: 'The key is valid but not allowed to do this: a read-only key that writes, the read-only records of a shared practice, or something no key may do, such as signing in or managing staff logins, roles and other credentials.',
    fix: 'Writes need a key with full access for a practice with its own records. The rest can’t be done with any API key.',
    retry: 'never',
  },
  not_found: {
    when: 'The path doesn’t exist, or the key’s practice has no such record. Records of other practices get the same response.',
    fix: 'Check the ID and the base URL. Sandbox and production have different records.',
    retry: 'never',
  },
  method_not_allowed: {
    when: 'The path exists but doesn’t support this method.',
    fix: 'The Allow header lists the supported methods.',
    retry: 'never',
  },
  conflict: {
    when: 'The practice’s records are being replaced right now.',
    fix: 'Send the request again. With an Idempotency-Key, nothing is created twice.',
    retry: 'with backoff',
  },
  gone: {
    when: 'The operation or tool was deprecated, and its sunset has passed. It ended for every caller.',
    fix: 'Use the successor. The Link header leads to the page that names it.',
    retry: 'never',
  },
  payload_too_large: {
    when: 'The body is longer than 1,048,576 bytes, whether or not Content-Length says so.',
    fix: 'Send less in one request.',
    retry: 'never',
  },
  unsupported_media_type: {
    when: 'The body has no Content-Type: application/json, a charset other than UTF-8, or is compressed.',
    fix: 'Set the header and send the body uncompressed.',
    retry: 'never',
  },
  rate_limited: {
    when: 'The key or its practice exceeded its limit per second or per minute, or too many failed authentications came from one address. The refused request doesn’t count.',
    fix: 'Wait for the seconds in Retry-After and reduce concurrency. Every response has a RateLimit header with what is left. Higher limits are free on request.',
    retry: 'after Retry-After',
  },
  internal: {
    when: 'Something went wrong on our side.',
    fix: 'Retry with backoff. If it persists, send support the correlation ID.',
    retry: 'with backoff',
  },
  unavailable: {
    when: 'The service is too busy or can’t reach its database. Nothing was partially written.',
    fix: 'Retry after the time in Retry-After. Send writes with an Idempotency-Key.',
    retry: 'after Retry-After',
  },
}

export const isErrorCode = (text: string): text is RestCode => Object.hasOwn(errorCodes, text)

export function statusOf(code: RestCode): number {
  const row = Object.values<ProblemRow>(problems).find(({ restCode }) => restCode === code)
  return row?.status ?? 500
}

/** Where the portal explains a code; all of them without one. */
export const errorPage = (code?: RestCode): string =>
  code === undefined ? '/docs/errors' : `/docs/errors/${code}`

/** Whether to send the same request again, as a sentence. */
export const retryWords: Readonly<Record<ErrorCodeRow['retry'], string>> = {
  never: 'No. The same request will be refused again.',
  'after Retry-After': 'Yes, after as many seconds as Retry-After says.',
  'with backoff': 'Yes, with growing pauses.',
}
