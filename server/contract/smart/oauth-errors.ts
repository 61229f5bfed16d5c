/**
 * Every refusal of the authorization server in one table: what the wire says (RFC 6749 and its relatives), and
 * what the app's own developers are notified besides. The status is that of the Problem's row in problems.ts.
 */

import { Problem } from '../http/problems.ts'
import type { OAuthErrorCode, OAuthRefusalRow } from './oauth-fixes.ts'
import { simulatedRefusals } from './oauth-simulated.ts'

/** One wire answer for every way of not being the client one says one is. */
const authenticationFailed = (developer: string): OAuthRefusalRow => ({
  problem: 'unauthorized',
  error: 'invalid_client',
  description: 'Client authentication failed.',
  developer,
})
/** One wire answer for codes and refresh tokens that are not good, whatever the cause. */
const badGrant = (developer: string) =>
  invalid(
    'invalid_grant',
    'The authorization code or refresh token is invalid, expired, used, revoked, or not issued to this app.',
    developer,
  )
const badRequest = (description: string, developer?: string) =>
  invalid('invalid_request', description, developer)

function invalid(error: OAuthErrorCode, description: string, developer = description): OAuthRefusalRow {
  return { problem: 'validation', error, description, developer }
}

export const oauthRefusals = {
  // The request as a whole.
  duplicate_parameter: badRequest(
    'A parameter was sent more than once.',
    'A parameter was sent more than once, in the query, the form, or both.',
  ),
  parameter_too_long: badRequest(
    'The request is too long.',
    'A parameter, or the request as a whole, was longer than this server reads.',
  ),
  malformed_form: badRequest(
    'The body must be a form of type application/x-www-form-urlencoded, in UTF-8.',
    'The body was not a UTF-8 form, or its Content-Type header was wrong.',
  ),
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
  client_missing: authenticationFailed(
    'The request has no client: no client_id, no Basic header, no assertion.',
  ),
  client_unknown: authenticationFailed(
    'No app with this client_id exists here. Sandbox apps don’t exist at production practices, and the other way round.',
  ),
  client_suspended: authenticationFailed('The app is suspended or was removed.'),
  access_stopped: authenticationFailed(
    'The practice stopped this app’s access. It works again when the practice resumes it.',
  ),
  client_ambiguous: badRequest(
    'The client authenticated in more than one way.',
    'Send exactly one of the Authorization header, the assertion, or client_id alone.',
  ),
  wrong_client_authentication: authenticationFailed(
    'The app authenticated with a different method than the one it is registered with.',
  ),
  malformed_basic: authenticationFailed(
    'The Authorization header is not Basic with client_id and secret, each form-encoded, joined by a colon.',
  ),
  secret_in_body: authenticationFailed(
    'The secret was sent as client_secret. Send it in the Authorization header (client_secret_basic).',
  ),
  wrong_client_secret: authenticationFailed('The client secret is wrong, revoked or expired.'),
  wrong_assertion_type: authenticationFailed(
    'client_assertion_type must be urn:ietf:params:oauth:client-assertion-type:jwt-bearer.',
  ),
  assertion_refused: authenticationFailed(
    'The signed assertion was refused. The Assertion Doctor shows which check failed.',
  ),
  assertion_replayed: authenticationFailed(
    'An assertion with this jti was used before. Create a new one for every request.',
  ),

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
  client_not_at_practice: invalid(
    'unauthorized_client',
    'This app is not enabled at this practice.',
    'The app is registered but not enabled at this practice.',
  ),

  // The authorize request.
  redirect_missing: badRequest('redirect_uri is missing.'),
  redirect_unknown: badRequest(
    'redirect_uri is not registered for this app.',
    'redirect_uri does not exactly match one registered for the app.',
  ),
  response_type: invalid('unsupported_response_type', 'response_type must be code.'),
  response_mode: badRequest('response_mode must be query or omitted.'),
  state_missing: badRequest(
    'state is missing.',
    'state is missing. Without it, the app can’t tell its own requests from forged ones.',
  ),
  state_too_long: badRequest(
    'state and nonce are limited to 2048 bytes each.',
    'state or nonce is longer than 2,048 bytes. Keep longer data in the app and send a key to it.',
  ),
  pkce_missing: badRequest(
    'PKCE is required: code_challenge with code_challenge_method=S256.',
    'code_challenge is missing, is not 43 base64url characters, or its method is not S256.',
  ),
  aud_wrong: badRequest(
    'aud must be the FHIR base of this practice.',
    'aud is missing or is not the FHIR base URL whose authorize endpoint received the request.',
  ),
  request_object: invalid(
    'request_not_supported',
    'The request parameter is not supported.',
    'Request objects (request, request_uri) are not supported; send plain parameters.',
  ),
  prompt_none: invalid(
    'interaction_required',
    'A person must sign in and agree; prompt=none is not supported.',
    'prompt=none is not supported. A person always sees what the app requests.',
  ),
  backend_at_authorize: invalid(
    'unauthorized_client',
    'Backend systems use client_credentials.',
    'The app is registered as a backend system, which people don’t authorize.',
  ),
  launch_without_scope: invalid(
    'invalid_scope',
    'A launch needs the scope launch.',
    'The launch parameter was sent without the scope launch.',
  ),
  launch_unknown: badRequest(
    'The launch is unknown, used, expired, or belongs to another app or practice.',
    'launch is not a valid value that the EHR issued to this app for this practice. Each one works once, within ten minutes.',
  ),
  launch_needed: invalid(
    'unauthorized_client',
    'This app is not registered. It works only after a launch from /launch in this browser.',
    'The client ID belongs to an unregistered app, and no launch of it is open in this browser. Open the launch link, then authorize once within ten minutes, with GET.',
  ),
  scope_malformed: invalid(
    'invalid_scope',
    'The scope is missing, malformed or too long.',
    'scope is missing, too long, or contains characters that no scope may have.',
  ),
  scope_system: invalid(
    'invalid_scope',
    'system/ scopes are for client_credentials.',
    'A person can’t authorize system/ scopes.',
  ),
  scope_nothing: invalid(
    'invalid_scope',
    'None of the scopes can be granted to this app at this practice.',
    'Nothing remains of the requested scopes after applying the app’s registration and the practice’s policy.',
  ),
  denied_by_person: {
    problem: 'forbidden',
    error: 'access_denied',
    description: 'The person did not agree.',
    developer: 'The person declined on the consent page.',
  },

  // The token request.
  grant_type_missing: badRequest('grant_type is missing.'),
  grant_type: invalid(
    'unsupported_grant_type',
    'grant_type must be authorization_code, refresh_token or client_credentials.',
  ),
  grant_type_of_client: invalid(
    'unauthorized_client',
    'This app may not use this grant_type.',
    'client_credentials is for backend systems, the other grant types for apps that people use.',
  ),
  code_missing: badRequest('code is missing.'),
  code_unknown: badGrant('The code is unknown, or another practice issued it.'),
  code_expired: badGrant('The code was older than five minutes.'),
  code_used: badGrant('The code was used before. Tokens from its first use are revoked.'),
  code_of_other_client: badGrant('The code was issued to another app.'),
  redirect_differs: badGrant('redirect_uri is missing or differs from the authorize request.'),
  verifier_wrong: badGrant('code_verifier is missing, malformed, or doesn’t match the code_challenge.'),
  refresh_missing: badRequest('refresh_token is missing.'),
  refresh_unknown: badGrant('The refresh token is unknown, or another practice issued it.'),
  refresh_expired: badGrant(
    'The refresh token was not used for 100 days, or its sign-in session has ended. Unregistered apps get one hour.',
  ),
  refresh_of_other_client: badGrant('The refresh token was issued to another app.'),
  refresh_repeated: badGrant(
    'The refresh token was replaced seconds ago: two requests used it at the same time. Continue with the newer one.',
  ),
  refresh_reused: badGrant(
    'A refresh token was used long after it was replaced. The whole grant is revoked, and the person must authorize again.',
  ),
  grant_revoked: badGrant('The person, the practice or the app itself revoked the grant.'),
  person_left: badGrant('The person who agreed may no longer act at this practice.'),
  scope_wider: invalid(
    'invalid_scope',
    'The scope is wider than what was granted.',
    'A refresh may request less than what was granted, never more.',
  ),
  scope_not_system: invalid('invalid_scope', 'client_credentials grants system/ scopes only.'),
  system_not_authorized: invalid(
    'unauthorized_client',
    'The practice has not authorized this system.',
    'The practice has not granted access to this backend system, or has declined or revoked it.',
  ),

  // Introspection and revocation.
  token_missing: badRequest('token is missing.'),
  public_client_introspects: authenticationFailed(
    'Introspection needs a client that authenticates; public apps can’t.',
  ),

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
