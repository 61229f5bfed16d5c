/** A row of the tables of OAuth refusals. */
import type { ProblemKind } from '../http/problems.ts'

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'interaction_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'temporarily_unavailable'

export type OAuthRefusalRow = Readonly<{
  problem: ProblemKind
  error: OAuthErrorCode
  /** `error_description` on the wire: of the characters RFC 6749 allows, and nothing of what was sent. */
  description: string
  /** For the developers of the app, in its activity log. */
  developer: string
}>
