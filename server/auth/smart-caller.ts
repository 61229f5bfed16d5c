/** Authenticates the token of a call. Every cause gets the same 401. A valid token gets a 403 if its practice is suspended
 * or does not allow the app. */
import { Problem } from '../contract/http/problems.ts'
import type { SmartPrincipal } from './principal.ts'
import type { SmartTokenAuth, SmartTokenOutcome } from './smart-token.ts'

/** The authentication state of a call. */
export type SmartCall = {
  readonly request: Request
  principal: SmartPrincipal | null
  /** The database has confirmed during this request that the token is valid. */
  alive: boolean
  /** The log names these three for a request that failed to authenticate. */
  clientId: string | null
  practiceId: string | null
  environment: 'sandbox' | 'production' | null
}

export function createSmartCaller({ auth }: { auth: SmartTokenAuth }) {
  /** @throws Problem `unauthorized`, or `forbidden` if the practice does not allow the app */
  async function authenticate(call: SmartCall): Promise<void> {
    accept(call, await auth.authenticate(call.request.headers.get('authorization')))
  }

  /** Reads the principal again, because its practice may have moved to another dataset. */
  async function authenticateAnew(call: SmartCall): Promise<void> {
    call.principal = null
    accept(call, await auth.authenticate(call.request.headers.get('authorization'), { anew: true }))
  }

  /** Checks the token in the database if no statement has done so yet. @throws Problem `unauthorized` */
  async function confirm(call: SmartCall): Promise<void> {
    if (call.principal === null || call.alive) return
    call.alive = await auth.isAlive(call.principal)
    if (!call.alive) await authenticateAnew(call)
  }

  function accept(call: SmartCall, outcome: SmartTokenOutcome): void {
    if (outcome.kind === 'principal') {
      call.principal = outcome.principal
      call.alive = outcome.fresh
      return
    }
    call.clientId = outcome.clientId
    call.practiceId = outcome.practiceId
    call.environment = outcome.environment
    throw new Problem(outcome.problem, { detail: outcome.reason })
  }

  return { authenticate, authenticateAnew, confirm, principalOf }
}

/** @throws Problem `internal` without a principal */
function principalOf({ principal }: SmartCall): SmartPrincipal {
  if (principal === null) throw new Problem('internal', { detail: 'an interaction without a principal' })
  return principal
}
