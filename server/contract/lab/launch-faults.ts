/** What a simulated launch does wrong, and how a client notices: announced here, held by a test with a client library. */

import type { OAuthErrorCode } from '../smart/oauth-fixes.ts'
import type { simulatedRefusals } from '../smart/oauth-simulated.ts'
import type { LaunchKind } from './launch-lab.ts'

/**
 * Where the client meets it. `authorize`, `token`, `refresh`: an OAuth error there. `state`: the answer is not its own.
 * `late`: the token comes late. `scope`, `context`: the token answer holds less. `signature`: the id_token does not hold.
 */
type LaunchFaultWhere =
  | 'authorize'
  | 'token'
  | 'refresh'
  | 'state'
  | 'late'
  | 'scope'
  | 'context'
  | 'signature'

type LaunchFaultRow = Readonly<{
  title: string
  where: LaunchFaultWhere
  kinds: readonly LaunchKind[]
  /** What the client sees, one sentence. */
  announces: string
  error?: OAuthErrorCode
  refusal?: keyof typeof simulatedRefusals
}>

const people = ['ehr', 'portal', 'standalone-patient', 'standalone-clinician'] as const
const everyKind = [...people, 'backend'] as const

const at = (
  where: 'authorize' | 'token' | 'refresh',
  error: OAuthErrorCode,
  kinds: readonly LaunchKind[],
): LaunchFaultRow => ({
  title: `${error}, at ${where}`,
  where,
  kinds,
  announces:
    where === 'authorize'
      ? `The redirect has error=${error} and the app’s own state, but no code.`
      : `The ${where === 'token' ? 'token endpoint' : 'first refresh'} responds with the error ${error}.`,
  error,
  refusal: `simulated_${error}` as keyof typeof simulatedRefusals,
})

export const launchFaults = {
  authorize_invalid_request: at('authorize', 'invalid_request', people),
  authorize_unauthorized_client: at('authorize', 'unauthorized_client', people),
  authorize_access_denied: at('authorize', 'access_denied', people),
  authorize_unsupported_response_type: at('authorize', 'unsupported_response_type', people),
  authorize_invalid_scope: at('authorize', 'invalid_scope', people),
  authorize_server_error: at('authorize', 'server_error', people),
  authorize_temporarily_unavailable: at('authorize', 'temporarily_unavailable', people),
  token_invalid_request: at('token', 'invalid_request', everyKind),
  token_invalid_client: at('token', 'invalid_client', everyKind),
  token_invalid_grant: at('token', 'invalid_grant', everyKind),
  token_unauthorized_client: at('token', 'unauthorized_client', everyKind),
  token_unsupported_grant_type: at('token', 'unsupported_grant_type', everyKind),
  token_invalid_scope: at('token', 'invalid_scope', everyKind),
  token_server_error: at('token', 'server_error', everyKind),
  token_temporarily_unavailable: at('token', 'temporarily_unavailable', everyKind),
  wrong_state: {
    title: 'Wrong state',
    where: 'state',
    kinds: people,
    announces: 'The redirect has a code with a state that the app never sent. The app must not exchange it.',
  },
  slow_token: {
    title: 'Slow token',
    where: 'late',
    kinds: everyKind,
    announces: 'The token arrives after five seconds and is valid.',
  },
  expired_code: {
    title: 'Expired code',
    where: 'token',
    kinds: people,
    announces: 'The code has expired when it arrives. The token endpoint responds with invalid_grant.',
    error: 'invalid_grant',
  },
  narrowed_scopes: {
    title: 'Fewer scopes',
    where: 'scope',
    kinds: everyKind,
    announces: 'Only Patient may be read, and the token’s scope says so. Everything else is 403.',
  },
  missing_context: {
    title: 'No patient in the response',
    where: 'context',
    kinds: people,
    announces: 'The token response contains neither patient nor encounter.',
  },
  revoked_refresh: at('refresh', 'invalid_grant', people),
  bad_signature: {
    title: 'id_token with an invalid signature',
    where: 'signature',
    kinds: people,
    announces: 'The id_token doesn’t verify against the practice’s key set.',
  },
} as const satisfies Record<string, LaunchFaultRow>

export type LaunchFault = keyof typeof launchFaults
export const launchFaultNames = Object.keys(launchFaults) as LaunchFault[]
export const launchFaultRow = (fault: LaunchFault): LaunchFaultRow => launchFaults[fault]

export const isLaunchFault = (text: string): text is LaunchFault => Object.hasOwn(launchFaults, text)

/** How long a slow token takes. */
export const slowTokenMs = 5_000
