/**
 * Every refusal of the authorization server in one table: what the wire says (RFC 6749 and its relatives), and
 * what the app's own developers are notified besides. The status is that of the Problem's row in problems.ts.
 */

import { Problem } from '../http/problems.ts'
import type { OAuthRefusalRow } from './oauth-refusal-row.ts'
import { simulatedRefusals } from './oauth-simulated.ts'

/** One wire answer for every way of not being the client one says one is. */
const authenticationFailed = {
  problem: 'unauthorized',
  error: 'invalid_client',
  description: 'Client authentication failed.',
} as const
/** One wire answer for codes and refresh tokens that are not good, whatever the cause. */
const badGrant = {
  problem: 'validation',
  error: 'invalid_grant',
  description:
    'The authorization code or refresh token is invalid, expired, used, revoked, or not issued to this app.',
} as const
const badRequest = { problem: 'validation', error: 'invalid_request' } as const

export const oauthRefusals = {
  // The request as a whole.
  duplicate_parameter: {
    ...badRequest,
    description: 'A parameter was sent more than once.',
    developer: 'A parameter was sent more than once, in the query, the form, or both.',
  },
  parameter_too_long: {
    ...badRequest,
    description: 'The request is too long.',
    developer: 'A parameter, or the request as a whole, was longer than this server reads.',
  },
  malformed_form: {
    ...badRequest,
    description: 'The body must be a form of type application/x-www-form-urlencoded, in UTF-8.',
    developer: 'The body was not a UTF-8 form, or its Content-Type header was wrong.',
  },
  method_not_allowed: {
    problem: 'method_not_allowed',
    error: 'invalid_request',
    description: 'This endpoint does not support this method.',
    developer: 'Token, introspection and revocation accept POST; authorize accepts GET and POST.',
  },
  practice_unknown: {
    problem: 'not_found',
    error: 'invalid_request',
    description: 'There is no practice at this address.',
    developer: 'No practice has this address. The endpoint directory lists all practices.',
  },
  extra_slash: {
    problem: 'not_found',
    error: 'invalid_request',
    description: 'The path has an extra slash.',
    developer: 'The path ended in a slash or had two slashes in a row.',
  },
  too_many_failures: {
    problem: 'rate_limited',
    error: 'temporarily_unavailable',
    description: 'Too many failed client authentications came from this address.',
    developer:
      'Too many failed client authentications came from this address. Wait for the time in Retry-After.',
  },
  rate_limited_ip: {
    problem: 'rate_limited',
    error: 'temporarily_unavailable',
    description: 'Too many requests.',
    developer: 'This address exceeded its limit. Wait for the time in Retry-After.',
  },

  // Who the client is.
  client_missing: {
    ...authenticationFailed,
    developer: 'The request has no client: no client_id, no Basic header, no assertion.',
  },
  client_unknown: {
    ...authenticationFailed,
    developer:
      'No app with this client_id exists here. Sandbox apps don’t exist at production practices, and the other way round.',
  },
  client_suspended: { ...authenticationFailed, developer: 'The app is suspended or was removed.' },
  access_stopped: {
    ...authenticationFailed,
    developer: 'The practice stopped this app’s access. It works again when the practice resumes it.',
  },
  client_ambiguous: {
    ...badRequest,
    description: 'The client authenticated in more than one way.',
    developer: 'Send exactly one of the Authorization header, the assertion, or client_id alone.',
  },
  wrong_client_authentication: {
    ...authenticationFailed,
    developer: 'The app authenticated with a different method than the one it is registered with.',
  },
  malformed_basic: {
    ...authenticationFailed,
    developer:
      'The Authorization header is not Basic with client_id and secret, each form-encoded, joined by a colon.',
  },
  secret_in_body: {
    ...authenticationFailed,
    developer:
      'The secret was sent as client_secret. Send it in the Authorization header (client_secret_basic).',
  },
  wrong_client_secret: {
    ...authenticationFailed,
    developer: 'The client secret is wrong, revoked or expired.',
  },
  wrong_assertion_type: {
    ...authenticationFailed,
    developer: 'client_assertion_type must be urn:ietf:params:oauth:client-assertion-type:jwt-bearer.',
  },
  assertion_refused: {
    ...authenticationFailed,
    developer: 'The signed assertion was refused. The Assertion Doctor shows which check failed.',
  },
  assertion_replayed: {
    ...authenticationFailed,
    developer: 'An assertion with this jti was used before. Create a new one for every request.',
  },

  // Whether it may be served here.
  fhir_not_enabled: {
    problem: 'forbidden',
    error: 'access_denied',
    description: 'This practice does not offer FHIR access.',
    developer: 'The practice has not enabled FHIR access, or it is stopped.',
  },
  audience_not_allowed: {
    problem: 'forbidden',
    error: 'access_denied',
    description: 'This practice does not admit this kind of app.',
    developer: 'The practice’s policy excludes apps for this audience.',
  },
  client_not_at_practice: {
    problem: 'validation',
    error: 'unauthorized_client',
    description: 'This app is not enabled at this practice.',
    developer: 'The app is registered but not enabled at this practice.',
  },

  // The authorize request.
  redirect_missing: {
    ...badRequest,
    description: 'redirect_uri is missing.',
    developer: 'redirect_uri is missing.',
  },
  redirect_unknown: {
    ...badRequest,
    description: 'redirect_uri is not registered for this app.',
    developer: 'redirect_uri does not exactly match one registered for the app.',
  },
  response_type: {
    problem: 'validation',
    error: 'unsupported_response_type',
    description: 'response_type must be code.',
    developer: 'response_type must be code.',
  },
  response_mode: {
    ...badRequest,
    description: 'response_mode must be query or omitted.',
    developer: 'response_mode must be query or omitted.',
  },
  state_missing: {
    ...badRequest,
    description: 'state is missing.',
    developer: 'state is missing. Without it, the app can’t tell its own requests from forged ones.',
  },
  state_too_long: {
    ...badRequest,
    description: 'state and nonce are limited to 2048 bytes each.',
    developer: 'state or nonce is longer than 2,048 bytes. Keep longer data in the app and send a key to it.',
  },
  pkce_missing: {
    ...badRequest,
    description: 'PKCE is required: code_challenge with code_challenge_method=S256.',
    developer: 'code_challenge is missing, is not 43 base64url characters, or its method is not S256.',
  },
  aud_wrong: {
    ...badRequest,
    description: 'aud must be the FHIR base of this practice.',
    developer: 'aud is missing or is not the FHIR base URL whose authorize endpoint received the request.',
  },
  request_object: {
    problem: 'validation',
    error: 'request_not_supported',
    description: 'The request parameter is not supported.',
    developer: 'Request objects (request, request_uri) are not supported; send plain parameters.',
  },
  prompt_none: {
    problem: 'validation',
    error: 'interaction_required',
    description: 'A person must sign in and agree; prompt=none is not supported.',
    developer: 'prompt=none is not supported. A person always sees what the app requests.',
  },
  backend_at_authorize: {
    problem: 'validation',
    error: 'unauthorized_client',
    description: 'Backend systems use client_credentials.',
    developer: 'The app is registered as a backend system, which people don’t authorize.',
  },
  launch_without_scope: {
    problem: 'validation',
    error: 'invalid_scope',
    description: 'A launch needs the scope launch.',
    developer: 'The launch parameter was sent without the scope launch.',
  },
  launch_unknown: {
    ...badRequest,
    description: 'The launch is unknown, used, expired, or belongs to another app or practice.',
    developer:
      'launch is not a valid value that the EHR issued to this app for this practice. Each one works once, within ten minutes.',
  },
  launch_needed: {
    problem: 'validation',
    error: 'unauthorized_client',
    description: 'This app is not registered. It works only after a launch from /launch in this browser.',
    developer:
      'The client ID belongs to an unregistered app, and no launch of it is open in this browser. Open the launch link, then authorize once within ten minutes, with GET.',
  },
  scope_malformed: {
    problem: 'validation',
    error: 'invalid_scope',
    description: 'The scope is missing, malformed or too long.',
    developer: 'scope is missing, too long, or contains characters that no scope may have.',
  },
  scope_system: {
    problem: 'validation',
    error: 'invalid_scope',
    description: 'system/ scopes are for client_credentials.',
    developer: 'A person can’t authorize system/ scopes.',
  },
  scope_nothing: {
    problem: 'validation',
    error: 'invalid_scope',
    description: 'None of the scopes can be granted to this app at this practice.',
    developer:
      'Nothing remains of the requested scopes after applying the app’s registration and the practice’s policy.',
  },
  denied_by_person: {
    problem: 'forbidden',
    error: 'access_denied',
    description: 'The person did not agree.',
    developer: 'The person declined on the consent page.',
  },

  // The token request.
  grant_type_missing: {
    ...badRequest,
    description: 'grant_type is missing.',
    developer: 'grant_type is missing.',
  },
  grant_type: {
    problem: 'validation',
    error: 'unsupported_grant_type',
    description: 'grant_type must be authorization_code, refresh_token or client_credentials.',
    developer: 'grant_type must be authorization_code, refresh_token or client_credentials.',
  },
  grant_type_of_client: {
    problem: 'validation',
    error: 'unauthorized_client',
    description: 'This app may not use this grant_type.',
    developer: 'client_credentials is for backend systems, the other grant types for apps that people use.',
  },
  code_missing: { ...badRequest, description: 'code is missing.', developer: 'code is missing.' },
  code_unknown: { ...badGrant, developer: 'The code is unknown, or another practice issued it.' },
  code_expired: { ...badGrant, developer: 'The code was older than five minutes.' },
  code_used: { ...badGrant, developer: 'The code was used before. Tokens from its first use are revoked.' },
  code_of_other_client: { ...badGrant, developer: 'The code was issued to another app.' },
  redirect_differs: {
    ...badGrant,
    developer: 'redirect_uri is missing or differs from the authorize request.',
  },
  verifier_wrong: {
    ...badGrant,
    developer: 'code_verifier is missing, malformed, or doesn’t match the code_challenge.',
  },
  refresh_missing: {
    ...badRequest,
    description: 'refresh_token is missing.',
    developer: 'refresh_token is missing.',
  },
  refresh_unknown: { ...badGrant, developer: 'The refresh token is unknown, or another practice issued it.' },
  refresh_expired: {
    ...badGrant,
    developer:
      'The refresh token was not used for 100 days, or its sign-in session has ended. Unregistered apps get one hour.',
  },
  refresh_of_other_client: { ...badGrant, developer: 'The refresh token was issued to another app.' },
  refresh_repeated: {
    ...badGrant,
    developer:
      'The refresh token was replaced seconds ago: two requests used it at the same time. Continue with the newer one.',
  },
  refresh_reused: {
    ...badGrant,
    developer:
      'A refresh token was used long after it was replaced. The whole grant is revoked, and the person must authorize again.',
  },
  grant_revoked: {
    ...badGrant,
    developer: 'The person, the practice or the app itself revoked the grant.',
  },
  person_left: { ...badGrant, developer: 'The person who agreed may no longer act at this practice.' },
  scope_wider: {
    problem: 'validation',
    error: 'invalid_scope',
    description: 'The scope is wider than what was granted.',
    developer: 'A refresh may request less than what was granted, never more.',
  },
  scope_not_system: {
    problem: 'validation',
    error: 'invalid_scope',
    description: 'client_credentials grants system/ scopes only.',
    developer: 'client_credentials grants system/ scopes only.',
  },
  system_not_authorized: {
    problem: 'validation',
    error: 'unauthorized_client',
    description: 'The practice has not authorized this system.',
    developer: 'The practice has not granted access to this backend system, or has declined or revoked it.',
  },

  // Introspection and revocation.
  token_missing: { ...badRequest, description: 'token is missing.', developer: 'token is missing.' },
  public_client_introspects: {
    ...authenticationFailed,
    developer: 'Introspection needs a client that authenticates; public apps can’t.',
  },

  // Our side.
  internal: {
    problem: 'internal',
    error: 'server_error',
    description: 'Something went wrong on our side.',
    developer: 'Something went wrong on our side.',
  },
  unavailable: {
    problem: 'unavailable',
    error: 'temporarily_unavailable',
    description: 'The service is busy. Retry after a moment.',
    developer: 'The service was busy or couldn’t reach its database.',
  },

  // Asked for, in the sandbox.
  ...simulatedRefusals,
} as const satisfies Record<string, OAuthRefusalRow>

export type OAuthRefusal = keyof typeof oauthRefusals

/**
 * The refusal as what is thrown: its detail names the row.
 * @param options.hint a sentence behind the description, of the characters RFC 6749 allows and with public facts only
 */
export function refuse(
  reason: OAuthRefusal,
  { hint, ...options }: { retryAfterSeconds?: number; hint?: string } = {},
): Problem {
  const { problem, description } = oauthRefusals[reason]
  const message = hint === undefined ? description : `${description} ${hint}`
  return new Problem(problem, { message, detail: reason, ...options })
}

/** What callers get: the description of the row, and the hint of this refusal, if it has one. */
export function wordsOf(problem: Problem): { description: string; hint: string | null } {
  const reason = refusalOf(problem)
  const { description } = oauthRefusals[reason]
  const hasHint = problem.detail === reason && problem.message !== description
  return { description, hint: hasHint ? problem.message.slice(description.length + 1) : null }
}

/** The row of a Problem; what was not refused by {@link refuse} is a fault or a busy moment of ours. */
export function refusalOf({ detail, kind }: Problem): OAuthRefusal {
  if (detail !== undefined && Object.hasOwn(oauthRefusals, detail)) return detail as OAuthRefusal
  if (kind === 'unavailable') return 'unavailable'
  if (kind === 'rate_limited') return 'rate_limited_ip'
  return kind === 'method_not_allowed' ? 'method_not_allowed' : 'internal'
}
