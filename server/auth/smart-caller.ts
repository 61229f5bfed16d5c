/** The token of a call: who it is, and whether it is still good. One 401 for every cause; a good token at a practice
 * that is suspended or lets no apps in gets one 403. */
import { Problem } from '../contract/http/problems.ts'
import type { SmartPrincipal } from './principal.ts'
import type { SmartTokenAuth, SmartTokenOutcome } from './smart-token.ts'

/** What an interface knows of who calls, so far. */
export type SmartCall = {
  readonly request: Request
  principal: SmartPrincipal | null
  /** The database has said during this request that the principal is good. */
  alive: boolean
  /** To whom a request is logged that did not authenticate. */
  clientId: string | null
  practiceId: string | null
  environment: 'sandbox' | 'production' | null
}

export function createSmartCaller({ auth }: { auth: SmartTokenAuth }) {
  /** @throws Problem `unauthorized`, or `forbidden` where the practice lets no one in */
  async function authenticate(call: SmartCall): Promise<void> {
    accept(call, await auth.authenticate(call.request.headers.get('authorization')))
  }

  /** The principal as the database has it now: its practice may have moved to another dataset. */
  async function authenticateAnew(call: SmartCall): Promise<void> {
    call.principal = null
    accept(call, await auth.authenticate(call.request.headers.get('authorization'), { anew: true }))
  }

  /** For a refusal that comes before any data statement. @throws Problem `unauthorized` */
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

/** @throws Problem `internal` where a handler runs without one */
function principalOf({ principal }: SmartCall): SmartPrincipal {
  if (principal === null) throw new Problem('internal', { detail: 'an interaction without a principal' })
  return principal
}
