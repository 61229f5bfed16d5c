/** What the owner of a key can do about a refusal, by the codes of refusal-reasons.ts. The Key Doctor says it. */
import { limits } from '../http/limits.ts'
import type { authenticationReasons, otherReasons } from './refusal-reasons.ts'

type Code = keyof typeof authenticationReasons | keyof typeof otherReasons

const fixes: Readonly<Record<Code, string>> = {
  no_credential: 'Send the header Authorization: Bearer, followed by the key, with every request.',
  wrong_scheme: 'Send the word Bearer, one space and the key; not Basic, not a query parameter.',
  malformed_key:
    'Send the key alone: 51 characters that begin with svc_. Look for quotes, spaces or a cut end.',
  wrong_checksum:
    'Store the key again from where you kept it: a character is missing or changed. If it is lost, rotate the key.',
  unknown_key: 'Compare the first twelve characters with the list of your keys. No key of ours begins so.',
  wrong_secret:
    'The beginning is right and the rest is not. If your server sends this, store the key again. If not, somebody guesses: rotate the key.',
  wrong_base: 'Sandbox keys go to /sandbox/api/v1, production keys to /api/v1. Change the base address.',
  key_revoked: 'A revoked key never works again. Request a new one and put it in place.',
  key_expired: 'An ended key never works again. Request a new one; extend the next before it ends.',
  key_suspended: 'The page of the key says who suspended it and why. It works again once the cause is gone.',
  network_not_allowed:
    'Add the address the request came from to the networks of the key, or send requests from one that is listed.',
  practice_suspended: 'The practice is closed for now. Nothing about the key is wrong; ask the practice.',
  too_many_failures:
    'Stop the client that sends wrong keys from this address, then wait as long as Retry-After says.',
  rate_limited_key:
    'Wait as long as Retry-After says and send fewer at once. Higher limits are free on request.',
  rate_limited_token:
    'Wait as long as Retry-After says and send fewer at once. Higher limits are free on request.',
  rate_limited_address:
    'Everybody behind this address used up its limit together. Wait as long as Retry-After says.',
  rate_limited_practice:
    'All keys of the practice together used up its limit. Wait as long as Retry-After says, and spread the load.',
  rate_limited_documents: 'Wait as long as Retry-After says. Request a CCD only when its chart has changed.',
  too_many_documents: `Request at most ${limits.documentsPerCredential} CCDs at the same time.`,
  documents_busy: 'Wait as long as Retry-After says, then request the CCD again.',
  read_only: 'Use a key of level full for writes.',
  mcp_writes_off: 'Switch MCP writes on, at the key’s page in the portal. It needs a key of level full.',
  not_found: 'Check the path and the id. A record of another practice is not found either.',
  unsupported: 'The CapabilityStatement at /metadata lists every type, interaction and operation there is.',
  not_acceptable: 'Send Accept: application/fhir+json, or no Accept header.',
  range_not_satisfiable: 'Ask for a range inside the size that Content-Range of the answer names.',
  method_not_allowed: 'The Allow header of the answer lists the methods of the path.',
  payload_too_large: 'Send at most 1,048,576 bytes.',
  unsupported_media_type: 'Send Content-Type: application/json, uncompressed.',
  malformed_json: 'Send one JSON document, each name once in an object.',
  validation:
    'The answer’s message names what to change; the OpenAPI document has every field and its bounds.',
  conflict: 'Read the present state, then decide again.',
  forbidden: 'The answer’s message says what is not allowed.',
  unavailable: 'Nothing to change: retry as Retry-After says.',
  internal: 'Nothing to change: retry with backoff. Write to us with the correlation id if it stays.',
}

/** The fix for a code of the log, `validation:<field>` and `structural:<rule>` included. */
export function findFix(code: string): string {
  const [, field] = /^validation:(.+)$/.exec(code) ?? []
  if (field !== undefined) return `Change “${field}”. The OpenAPI document has its form and bounds.`
  if (code.startsWith('structural:'))
    return 'No key may do this, whatever its level. A person does it in the portal.'
  return Object.hasOwn(fixes, code) ? fixes[code as Code] : fixes.internal
}
