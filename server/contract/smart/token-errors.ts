/** Refusals of the token endpoint that an app has until its developers change something, for their inbox. */
import type { OAuthRefusal } from './oauth-errors.ts'

/** What happens to a well-made app too is not among them: an expired code, a revoked grant, a limit. */
export const lastingTokenErrors = [
  'duplicate_parameter',
  'malformed_form',
  'client_ambiguous',
  'wrong_client_authentication',
  'malformed_basic',
  'secret_in_body',
  'wrong_client_secret',
  'wrong_assertion_type',
  'assertion_refused',
  'assertion_replayed',
  'client_not_at_practice',
  'grant_type_missing',
  'grant_type',
  'grant_type_of_client',
  'code_missing',
  'redirect_differs',
  'verifier_wrong',
  'refresh_missing',
  'refresh_of_other_client',
  'refresh_reused',
  'scope_malformed',
  'scope_wider',
  'scope_not_system',
  'system_not_authorized',
] as const satisfies readonly OAuthRefusal[]
