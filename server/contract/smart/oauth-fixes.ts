/** What a developer does about each `error` of the authorization server; the documentation shows this table. */
import type { ProblemKind } from '../http/problems.ts'

export const oauthFixes = {
  access_denied:
    'The person or the practice declined, so don’t send the person back right away. Ask the practice to let your app in, or offer another way to connect.',
  interaction_required: 'Send the person to the authorize endpoint without `prompt=none`.',
  invalid_client:
    'Compare the client ID and the authentication method with your app’s page. The app’s activity shows which check failed.',
  invalid_grant:
    'Start a new authorization. A code works once, within five minutes. Each refresh returns a new refresh token, so always keep the latest one.',
  invalid_request: 'Correct the parameter that error_description names. Send each parameter only once.',
  invalid_scope: 'Request scopes that your app is registered for, in the syntax of the Scopes guide.',
  request_not_supported: 'Send the parameters in the query, not in a request object.',
  request_uri_not_supported: 'Send the parameters in the query, not in a request object.',
  server_error: 'Retry with backoff. If the error persists, contact us with the correlation ID.',
  temporarily_unavailable: 'Wait as many seconds as Retry-After says, then send the same request again.',
  unauthorized_client:
    'Check on your app’s page that the app is of the right kind, registered, and enabled for this practice.',
  unsupported_grant_type: 'Use `authorization_code`, `refresh_token` or `client_credentials`.',
  unsupported_response_type: 'Send `response_type=code`.',
  unsupported_token_type: 'Revoke or introspect access tokens and refresh tokens only.',
} as const

export type OAuthErrorCode = keyof typeof oauthFixes

/** A row of the tables of OAuth refusals. */
export type OAuthRefusalRow = Readonly<{
  problem: ProblemKind
  error: OAuthErrorCode
  /** `error_description` on the wire: of the characters RFC 6749 allows, and nothing of what was sent. */
  description: string
  /** For the developers of the app, in its activity log. */
  developer: string
}>
