/** Refusals that only the laboratory gives, when it was asked to: the same words on the wire as OAuth's own. */

import type { ProblemKind } from '../http/problems.ts'
import type { OAuthErrorCode, OAuthRefusalRow } from './oauth-fixes.ts'

const simulated = (error: OAuthErrorCode, problem: ProblemKind = 'validation'): OAuthRefusalRow => ({
  problem,
  error,
  description: 'Simulated by the sandbox.',
  developer: `The launch simulator or the Fault Lab returned ${error}, as configured.`,
})

export const simulatedRefusals = {
  simulated_invalid_request: simulated('invalid_request'),
  simulated_unauthorized_client: simulated('unauthorized_client'),
  simulated_access_denied: simulated('access_denied', 'forbidden'),
  simulated_unsupported_response_type: simulated('unsupported_response_type'),
  simulated_invalid_scope: simulated('invalid_scope'),
  simulated_server_error: simulated('server_error', 'internal'),
  simulated_temporarily_unavailable: simulated('temporarily_unavailable', 'unavailable'),
  simulated_invalid_client: simulated('invalid_client', 'unauthorized'),
  simulated_invalid_grant: simulated('invalid_grant'),
  simulated_unsupported_grant_type: simulated('unsupported_grant_type'),
  simulated_rate_limit: simulated('temporarily_unavailable', 'rate_limited'),
  fault_header: {
    problem: 'validation',
    error: 'invalid_request',
    description: 'X-Sandbox-Fault is for sandbox token requests only, with a fault that applies to them.',
    developer:
      'X-Sandbox-Fault was sent to production, to an endpoint that doesn’t accept it, or with an unknown fault.',
  },
} as const satisfies Record<string, OAuthRefusalRow>

/** Fault of the Fault Lab at the token address, by the kind of its Problem. */
export const faultRefusals = {
  unauthorized: 'simulated_invalid_client',
  rate_limited: 'simulated_rate_limit',
  internal: 'simulated_server_error',
  unavailable: 'simulated_temporarily_unavailable',
} as const satisfies Partial<Record<ProblemKind, keyof typeof simulatedRefusals>>
