/** What a developer does about each `error` of the authorization server; the documentation shows this table. */
import type { OAuthErrorCode } from './oauth-refusal-row.ts'

export const oauthFixes: Readonly<Record<OAuthErrorCode, string>> = {
  access_denied:
    'Do not send the person back at once: they or the practice decided. Ask the practice to let your app in, or offer another way to connect.',
  interaction_required: 'Send the person to the authorize endpoint without `prompt=none`.',
  invalid_client:
    'Compare the client ID and the way of authentication with your app’s page. The app’s activity shows which check failed.',
  invalid_grant:
    'Start a new authorization. A code works once, within its minutes; a refresh token is replaced at each use: keep the newest.',
  invalid_request: 'Compare the parameters with the error_description; each one is sent once.',
  invalid_scope: 'Ask for scopes that your app has registered, in the form that the scopes page shows.',
  request_not_supported: 'Send the parameters in the query, not in a request object.',
  request_uri_not_supported: 'Send the parameters in the query, not in a request object.',
  server_error: 'Retry with backoff. If it stays, write to us with the correlation id.',
  temporarily_unavailable: 'Wait as many seconds as Retry-After says, then send the same request again.',
  unauthorized_client:
    'Check on your app’s page that it is of the right kind, registered, and enabled at this practice.',
  unsupported_grant_type: 'Use `authorization_code`, `refresh_token` or `client_credentials`.',
  unsupported_response_type: 'Send `response_type=code`.',
  unsupported_token_type: 'Revoke or introspect access tokens and refresh tokens only.',
}
