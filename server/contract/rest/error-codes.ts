/** What each `code` of the REST API's error envelope means and what to do about it; the documentation shows this table. */
import { type ProblemRow, problems, type RestCode } from '../http/problems.ts'

export type ErrorCodeRow = Readonly<{
  /** When it is answered. */
  when: string
  /** What the caller should do. */
  fix: string
  /** Whether the same request may succeed later. */
  retry: 'never' | 'after Retry-After' | 'with backoff'
}>

export const errorCodes: Readonly<Record<RestCode, ErrorCodeRow>> = {
  validation: {
    when: 'A parameter, a header or a field of the body is unknown, missing or not of its form; a reference leads to no record of the practice; a medical record number is taken; an Idempotency-Key was used for another request.',
    fix: 'The message names the field and says what it must be. Values are never repeated, so the message is safe to log.',
    retry: 'never',
  },
  malformed_json: {
    when: 'The body is no JSON in UTF-8, holds a key twice in one object or a key named __proto__, is nested too deep, or holds a number that not every reader would take for the same.',
    fix: 'Write the body with a JSON library. Send large numbers as text where the field is a text.',
    retry: 'never',
  },
  unauthorized: {
    when: 'The key is missing, unknown, mistyped, expired, revoked or suspended, belongs to the other base (sandbox or production), is used from an address outside its list of networks, or its practice is suspended. The answer never says which.',
    fix: 'Send Authorization: Bearer and the whole key. The key’s owner sees the real reason in its activity log and in the Key Doctor, under the correlation id.',
    retry: 'never',
  },
  forbidden: {
    when: 'The key is good but may not do this: a read-only key that writes, the read-only records of a shared practice, or something no key may ever do, as signing in, staff logins, roles and other credentials.',
    fix: 'Writing needs a full key of a practice with records of its own. For the rest there is no key.',
    retry: 'never',
  },
  not_found: {
    when: 'There is no such path, or no such record in the practice of the key. A record of another practice is not found in the same words.',
    fix: 'Check the id and the base: sandbox and production hold different records.',
    retry: 'never',
  },
  method_not_allowed: {
    when: 'The path is there but does not answer this method.',
    fix: 'The Allow header lists the methods it answers.',
    retry: 'never',
  },
  conflict: {
    when: 'The records of the practice are being replaced at this moment.',
    fix: 'Send the request again; with an Idempotency-Key nothing is made twice.',
    retry: 'with backoff',
  },
  payload_too_large: {
    when: 'The body is longer than 1,048,576 bytes, announced or not.',
    fix: 'Send less in one request.',
    retry: 'never',
  },
  unsupported_media_type: {
    when: 'A body without Content-Type: application/json, in another charset than UTF-8, or compressed.',
    fix: 'Set the header and send the body as it is.',
    retry: 'never',
  },
  rate_limited: {
    when: 'The key or its practice has used up its second or its minute, or too many failed authentications came from one address. The refused request used up nothing.',
    fix: 'Wait as many seconds as Retry-After says and reduce concurrency. RateLimit on every answer says what is left. Higher limits are free on request.',
    retry: 'after Retry-After',
  },
  internal: {
    when: 'A fault of ours.',
    fix: 'Retry with backoff. Tell support the correlation id if it stays.',
    retry: 'with backoff',
  },
  unavailable: {
    when: 'The service is too busy or cannot reach its database. Nothing was half-written.',
    fix: 'Retry after Retry-After; send writes with an Idempotency-Key.',
    retry: 'after Retry-After',
  },
}

export function isErrorCode(text: string): text is RestCode {
  return Object.hasOwn(errorCodes, text)
}

export function statusOf(code: RestCode): number {
  const row = Object.values<ProblemRow>(problems).find(({ restCode }) => restCode === code)
  return row?.status ?? 500
}

/** Where the portal explains a code; all of them without one. */
export function errorPage(code?: RestCode): string {
  return code === undefined ? '/docs/errors' : `/docs/errors/${code}`
}
