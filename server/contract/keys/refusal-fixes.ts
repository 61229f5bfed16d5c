/** What the owner of a key can do about a refusal, by the codes of refusal-reasons.ts. A key’s activity says it of one request. */
import { limits } from '../http/limits.ts'
import type { authenticationReasons, otherReasons } from './refusal-reasons.ts'

type Code = keyof typeof authenticationReasons | keyof typeof otherReasons

const fixes: Readonly<Record<Code, string>> = {
  no_credential: 'Send the header Authorization: Bearer, followed by the key, with every request.',
  wrong_scheme:
    'Send the word Bearer, one space and the key. Basic authentication and query parameters are not supported.',
  malformed_key:
    'Send only the key: 51 characters that start with svc_. Check for quotes, spaces or a truncated key.',
  wrong_checksum:
    'Store the key again from your original copy. A character is missing or changed. If you lost the key, rotate it.',
  unknown_key: 'Compare the first twelve characters with your list of keys. No key of ours starts like this.',
  wrong_secret:
    'The beginning is right and the rest is not. If your server sends this, store the key again. If not, someone is guessing: rotate the key.',
  wrong_base: 'Sandbox keys use /sandbox/api/v1, production keys /api/v1. Change the base URL.',
  key_revoked: 'A revoked key never works again. Request a new one and deploy it.',
  key_expired:
    'An expired key never works again. Request a new one, and extend the next key before it expires.',
  key_suspended: 'The key’s page shows who stopped it and why. It works again when the cause is resolved.',
  access_stopped:
    'The practice stopped it for now. Your email and the page of the key or app have the reason. It works again when the practice resumes it.',
  network_not_allowed:
    'Add the request’s source address to the key’s networks, or send requests from a listed address.',
  practice_suspended: 'The practice is stopped. The key is not the cause. Contact the practice.',
  too_many_failures:
    'Stop the client that sends wrong keys from this address, then wait for the time in Retry-After.',
  rate_limited_key:
    'Wait for the time in Retry-After and send fewer requests at once. Higher limits are free on request.',
  rate_limited_token:
    'Wait for the time in Retry-After and send fewer requests at once. Higher limits are free on request.',
  rate_limited_address:
    'All clients behind this address used up its limit together. Wait for the time in Retry-After.',
  rate_limited_practice:
    'All keys of the practice used up its limit together. Wait for the time in Retry-After, and spread the load.',
  rate_limited_heavy:
    'Wait for the time in Retry-After. Request a CCD or $everything only when the chart has changed, and use Bulk Data for many charts.',
  too_many_documents: `Request at most ${limits.documentsPerCredential} CCDs at the same time.`,
  documents_busy: 'Wait for the time in Retry-After, then request the CCD again.',
  read_only: 'Use a key with full access for writes.',
  mcp_writes_off: 'Enable MCP writes on the key’s page in the portal. This needs a key with full access.',
  class_not_allowed:
    'The key’s page lists the data classes it can read. Call only what they cover, or ask the practice to allow more.',
  purpose_not_allowed: 'Send X-Purpose with one of the purposes on the key’s page.',
  calls_a_day:
    'Wait for the time in Retry-After, the end of the day in the practice’s zone. The key’s page shows the cap. If you need more calls, ask the practice.',
  patients_a_day:
    'Patients whose records you read today stay available. For others, wait for the time in Retry-After, or ask the practice for a higher cap.',
  outside_hours: 'Call within the hours on the key’s page, or ask the practice to change them.',
  not_found: 'Check the path and the ID. Records of another practice also return 404.',
  unsupported: 'The CapabilityStatement at /metadata lists every supported type, interaction and operation.',
  not_acceptable: 'Send Accept: application/fhir+json, or no Accept header.',
  range_not_satisfiable: 'Request a range within the size in the response’s Content-Range header.',
  method_not_allowed: 'The Allow header of the response lists the path’s methods.',
  payload_too_large: 'Send at most 1,048,576 bytes.',
  unsupported_media_type: 'Send Content-Type: application/json, uncompressed.',
  malformed_json: 'Send one JSON document, with each name only once per object.',
  validation:
    'The response message names what to change. The OpenAPI document lists every field and its bounds.',
  conflict: 'Read the current state, then decide again.',
  forbidden: 'The response message says what is not allowed.',
  unavailable: 'No change needed. Retry after the time in Retry-After.',
  internal:
    'No change needed. Retry with backoff. If the error persists, contact us with the correlation ID.',
}

/** The fix for a code of the log, `validation:<field>` and `structural:<rule>` included. */
export function findFix(code: string): string {
  const [, field] = /^validation:(.+)$/.exec(code) ?? []
  if (field !== undefined) return `Change “${field}”. The OpenAPI document lists its format and bounds.`
  if (code.startsWith('structural:'))
    return 'No key may do this, whatever its access level. A person does it in the portal.'
  return Object.hasOwn(fixes, code) ? fixes[code as Code] : fixes.internal
}
