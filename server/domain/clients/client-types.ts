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

export type ClientFilter = Readonly<{
  environment?: 'sandbox' | 'production'
  audience?: ClientAudience
  state?: 'active'
  /** Beginnings of client IDs that are left out: apps that a button registered. */
  withoutIds?: readonly string[]
}>
