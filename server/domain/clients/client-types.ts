/** Registrations of apps, and the Assertion Doctor, as the portal and the registration workflow see them. */
import type { Listed, PageAsk } from '../../contract/portal/paging.ts'
import type { Actor } from '../actor.ts'

export type ClientAudience = 'patient' | 'clinician' | 'backend'
export type ClientAuthentication = 'none' | 'client_secret_basic' | 'private_key_jwt'

/** A JSON Web Key Set of public keys, https://www.rfc-editor.org/rfc/rfc7517#section-5 */
export type PublicJwks = Readonly<{ keys: readonly Readonly<Record<string, unknown>>[] }>

export type NewClient = Readonly<{
  /** Wire `client_id`; left out, a random one. */
  clientId?: string
  /** Registrations of one app in both environments share it; left out, a new app. */
  appId?: string
  /** Null: one of our own apps. */
  organizationId: string | null
  environment: 'sandbox' | 'production'
  audience: ClientAudience
  authentication: ClientAuthentication
  name: string
  description?: string
  homepage?: string | null
  logoUrl?: string | null
  launchUrl?: string | null
  redirectUris?: readonly string[]
  /** A scope text; what it permits is the most that is ever granted. */
  scope: string
  jwksUrl?: string | null
  jwks?: PublicJwks | null
  /** Usable at every practice of its environment; else at those enabled, and at its organization's own sandbox. */
  everyPractice?: boolean
  /** A resource server: may introspect tokens that are not its own. */
  introspectsAll?: boolean
}>

/** What may change of a registered app. */
export type ClientConfiguration = Omit<
  NewClient,
  'clientId' | 'appId' | 'organizationId' | 'environment' | 'everyPractice' | 'introspectsAll'
>

export type RegisteredClient = Readonly<{
  clientId: string
  appId: string
  organizationId: string | null
  environment: 'sandbox' | 'production'
  audience: ClientAudience
  authentication: ClientAuthentication
  name: string
  description: string
  homepage: string | null
  logoUrl: string | null
  launchUrl: string | null
  redirectUris: readonly string[]
  scope: string
  jwksUrl: string | null
  jwks: PublicJwks | null
  state: 'active' | 'suspended' | 'removed'
  createdAt: Date
  secrets: readonly Readonly<{ id: string; hint: string; createdAt: Date; expiresAt: Date | null }>[]
}>

/** One thing looked at in an assertion. */
export type AssertionFinding = Readonly<{
  /** Stable name, such as `signature`. */
  check: string
  /** What is asked of it, one sentence. */
  title: string
  outcome: 'passed' | 'failed' | 'not_reached'
  /** What was found. Of the assertion's own words only known fields, cut short. */
  found: string | null
  /** What to change; null unless failed. */
  fix: string | null
}>

export type AssertionReport = Readonly<{
  /** Would be accepted by the token endpoint. */
  accepted: boolean
  findings: readonly AssertionFinding[]
  /** Known fields of the header and claims, for display. */
  header: Readonly<Record<string, string>>
  claims: Readonly<Record<string, string>>
}>

export type AssertionAttempt = Readonly<{
  id: string
  at: Date
  correlationId: string
  report: AssertionReport
}>

export type AssertionReplay = AssertionAttempt &
  Readonly<{
    /** `accepted`: nothing fails any more; what was not reached then may. Null when too little was kept. */
    now: AssertionReport | null
  }>

export interface AssertionDoctor {
  /**
   * Looks at an assertion as the token endpoint would, and goes on after a failure; consumes nothing.
   * @param practiceSlug whose token endpoint it is meant for
   * @throws Problem `not_found` unless the client is of an organization of the actor
   */
  check(
    input: { clientId: string; practiceSlug: string; assertion: string },
    actor: Actor,
  ): Promise<AssertionReport>
  /** Refused at the token endpoint, newest first; 50 at most are kept, 30 days long. */
  listAttempts(clientId: string, actor: Actor): Promise<readonly AssertionAttempt[]>
  /**
   * A refused call again: what was found then, and what the same header and claims would bring now, at the time of the
   * call but against the keys and the registration of today. The signature is not kept, so it is not looked at again.
   * @throws Problem `not_found` for a call that is not kept (any more), or of an app that is not the actor's
   */
  replay(input: { clientId: string; correlationId: string }, actor: Actor): Promise<AssertionReplay>
}

export type ClientFilter = Readonly<{
  environment?: 'sandbox' | 'production'
  audience?: RegisteredClient['audience']
  state?: 'active'
  /** Beginnings of client IDs that are left out: apps that a button registered. */
  withoutIds?: readonly string[]
}>

export interface Clients {
  /**
   * Registers an app. Called by the registration workflow and the seed, which decide whether it may be.
   * @returns the secret of a `client_secret_basic` app; it exists in this answer only
   * @throws Problem `validation` naming the field at fault
   */
  create(
    input: NewClient,
    by: Pick<Actor, 'accountId' | 'ip' | 'correlationId'> | null,
  ): Promise<{ client: RegisteredClient; secret: string | null }>
  /**
   * Lets an app in at a practice of its environment. Called by the registration workflow, which decides who may.
   * @throws Problem `not_found` for an app or practice that is not there, or of different environments
   */
  enableAt(
    input: { clientId: string; practiceId: string },
    by: Pick<Actor, 'accountId' | 'ip' | 'correlationId'> | null,
  ): Promise<void>
  /** From the answer on its tokens are no good there, unless it is for every practice. Twice is once. */
  disableAt(
    input: { clientId: string; practiceId: string },
    by: Pick<Actor, 'accountId' | 'ip' | 'correlationId'> | null,
  ): Promise<void>
  /**
   * The organization's apps, newest first, a page at a time.
   * @param only further conditions of the rows
   * @throws Problem `not_found` unless the actor is a member
   */
  listPage(
    organizationId: string,
    ask: PageAsk,
    actor: Actor,
    only?: ClientFilter,
  ): Promise<Listed<RegisteredClient>>
  /** @throws Problem `not_found` unless the client is of an organization of the actor */
  get(clientId: string, actor: Actor): Promise<RegisteredClient>
  /**
   * A further secret, so that the old one can be given up without an outage; it is in this answer only.
   * `step_up_needed`: the password, or for production the second step, was given too long ago; nothing was done.
   * @throws Problem `forbidden` for roles that may not, `conflict` for a third one or an app that has none
   */
  addSecret(
    clientId: string,
    actor: Actor,
  ): Promise<{ kind: 'added'; secret: string } | { kind: 'step_up_needed' }>
  /** It is refused from the next request on. Twice is `not_found`. */
  revokeSecret(input: { clientId: string; secretId: string }, actor: Actor): Promise<void>
  /** Another configuration under the same client id. @throws Problem `validation` naming the field at fault */
  replace(
    clientId: string,
    configuration: ClientConfiguration,
    by: Pick<Actor, 'accountId' | 'ip' | 'correlationId'> | null,
  ): Promise<void>
  /** From the answer on no token of the app is served. Twice is once. */
  suspend(clientId: string, by: Actor): Promise<void>
  resume(clientId: string, by: Actor): Promise<void>
}
