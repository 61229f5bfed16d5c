/**
 * Why a request was refused, for the owner of its key: the codes that stand in the activity log, and what
 * they mean. The caller on the wire learns less: every reason of authentication is one and the same 401.
 */

import { type StructuralRefusal, structuralRefusals } from '../rest/refusals.ts'
import { oauthRefusals } from '../smart/oauth-errors.ts'

export const authenticationReasons = {
  no_credential: 'No Authorization header was sent.',
  wrong_scheme: 'The Authorization header is not Bearer followed by an API key.',
  malformed_key: 'The value doesn’t have the format of an API key.',
  wrong_checksum: 'The key’s checksum is wrong. The key is truncated or mistyped.',
  unknown_key: 'No key has this prefix.',
  wrong_secret: 'The prefix belongs to this key, but the rest is wrong.',
  wrong_base: 'A sandbox key was used at the production base, or a production key at the sandbox base.',
  key_revoked: 'The key was revoked.',
  key_expired: 'The key has expired.',
  key_suspended: 'The key is stopped.',
  access_stopped: 'The practice stopped this access.',
  network_not_allowed: 'The request came from an address outside the key’s list of networks.',
  practice_suspended: 'The key’s practice is stopped.',
} as const

export type AuthenticationReason = keyof typeof authenticationReasons

/** Of access tokens, where no row of oauth-errors.ts says the same. */
export const tokenReasons = {
  malformed_token: 'The value doesn’t have the format of an access token.',
  unknown_token: 'The access token is unknown, or it was deleted some time after it expired.',
  token_expired: 'The access token has expired.',
  token_revoked: 'The access token was revoked.',
  account_disabled: 'The account of the person who authorized the app is disabled.',
} as const

export const otherReasons = {
  too_many_failures: 'Too many failed authentications came from this address.',
  rate_limited_key: 'The key exceeded its rate limit.',
  rate_limited_token: 'The token exceeded its rate limit.',
  rate_limited_address: 'This address exceeded its rate limit.',
  rate_limited_practice: 'The practice exceeded its rate limit, across all keys and staff sessions.',
  rate_limited_heavy:
    'This key or token exceeded its limit for heavy requests, such as CCDs and $everything.',
  too_many_documents: 'Too many CCDs were being generated for this key or token at the same time.',
  documents_busy: 'The service was generating as many CCDs as it can at the same time.',
  read_only: 'The key is read-only and the request was a write.',
  mcp_writes_off: 'A tool that writes was called, but MCP writes are not enabled for this key.',
  class_not_allowed: 'The practice doesn’t let this key read this class of data.',
  purpose_not_allowed: 'The practice doesn’t allow this key the purpose of the request.',
  calls_a_day: 'The key used up the calls that the practice allows it a day.',
  patients_a_day: 'The key used up the number of patients that the practice allows it a day.',
  outside_hours: 'The practice doesn’t allow this key at this time of day.',
  not_found: 'The key’s practice has no such record, or the path doesn’t exist.',
  unsupported: 'The FHIR interface does not offer this interaction, type or operation.',
  not_acceptable: 'The request’s Accept header allows only formats other than FHIR JSON.',
  range_not_satisfiable: 'The document has no bytes in the requested range.',
  method_not_allowed: 'The path doesn’t support this method.',
  payload_too_large: 'The body was too large.',
  unsupported_media_type: 'The body was not application/json.',
  malformed_json: 'The body was not valid JSON.',
  validation: 'The request was not valid.',
  conflict: 'The request conflicted with the current state.',
  forbidden: 'The request was not allowed.',
  unavailable: 'The service was busy or could not reach its database.',
  internal: 'Something went wrong on our side.',
} as const

export type RefusalReason =
  | AuthenticationReason
  | Exclude<keyof typeof otherReasons, 'validation'>
  | 'validation'
  /** With the parameter at fault, one of ours. */
  | `validation:${string}`
  | `structural:${StructuralRefusal}`

/** How the refusals of a token's scopes begin; what they lack follows. */
const noScope = 'no scope for '

/**
 * The sentence of a code in the activity log.
 * @param door that refused: some codes are the authorization server's and the other interfaces' alike
 */
export function describeRefusal(code: string, door?: string | null): string {
  const [kind = '', part = ''] = code.split(':')
  if (kind === 'structural' && Object.hasOwn(structuralRefusals, part)) {
    return structuralRefusals[part as StructuralRefusal].reason
  }
  if (kind === 'validation' && part !== '') return `The request was not valid: ${part}.`
  if (code.startsWith(noScope)) return `The token has ${code}.`
  const known: Readonly<Record<string, string>> = {
    ...authenticationReasons,
    ...tokenReasons,
    ...otherReasons,
  }
  const isOfSmart = door === 'smart' || !Object.hasOwn(known, code)
  if (isOfSmart && Object.hasOwn(oauthRefusals, code))
    return oauthRefusals[code as keyof typeof oauthRefusals].developer
  return Object.hasOwn(known, code) ? (known[code] as string) : code
}
