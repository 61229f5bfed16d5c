/** A practice's word on backend systems: requested → granted or declined, granted → revoked. */
import type { Listed, PageAsk } from '../../contract/portal/paging.ts'
import type { Scope } from '../../contract/smart/scopes.ts'
import type { SystemAuthorizationState } from '../../contract/workflows/system-authorization-workflow.ts'
import type { Actor } from '../actor.ts'

export type SystemAuthorization = Readonly<{
  id: string
  practice: Readonly<{ id: string; slug: string; name: string }>
  client: Readonly<{
    clientId: string
    name: string
    homepage: string | null
    organizationName: string | null
  }>
  state: SystemAuthorizationState
  /** Asked for; once granted, what was granted. */
  scopes: readonly Scope[]
  /** What the developer says it is for. */
  purpose: string
  requestedAt: Date
  decidedAt: Date | null
  decidedBy: string | null
  reason: string | null
  lastUsedAt: Date | null
  /** Raised by every change; handed back with a decision. */
  version: number
}>

export interface BackendAuthorizations {
  /**
   * A developer asks a practice; asked again after a refusal or revocation it is open again.
   * @throws Problem `not_found` (not an app of an organization of the actor, no such practice), `conflict` (open or
   *   granted already), `validation` (no backend system, nothing grantable asked for)
   */
  request(
    input: { clientId: string; practiceSlug: string; scope: string; purpose: string },
    actor: Actor,
  ): Promise<SystemAuthorization>
  /** @throws Problem `not_found` unless the actor is admin or signatory of the practice */
  listForPractice(practiceId: string, actor: Actor): Promise<readonly SystemAuthorization[]>
  /** As `listForPractice`, a page at a time, with how many of all of them wait for an answer. */
  pageForPractice(
    practiceId: string,
    ask: PageAsk,
    actor: Actor,
  ): Promise<Listed<SystemAuthorization> & { waiting: number }>
  /** @throws Problem `not_found` unless the client is of an organization of the actor */
  listForClient(clientId: string, actor: Actor): Promise<readonly SystemAuthorization[]>
  /** `scopes`: what was left ticked; left out, all that was asked for. @throws Problem `not_found`, `conflict` */
  grant(
    input: { id: string; version: number; scopes?: readonly Scope[] },
    actor: Actor,
  ): Promise<SystemAuthorization>
  decline(input: { id: string; version: number; reason: string }, actor: Actor): Promise<SystemAuthorization>
  /** From the answer on no token of the system is served at this practice. */
  revoke(input: { id: string; version: number; reason: string }, actor: Actor): Promise<SystemAuthorization>
}
