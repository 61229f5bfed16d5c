export type ClientAudience = 'patient' | 'clinician' | 'backend'
export type ClientAuthentication = 'none' | 'client_secret_basic' | 'private_key_jwt'

/** A JSON Web Key Set of public keys, https://www.rfc-editor.org/rfc/rfc7517#section-5 */
export type PublicJwks = Readonly<{ keys: readonly Readonly<Record<string, unknown>>[] }>

export type NewClient = Readonly<{
  /** The `client_id`; a random one by default. */
  clientId?: string
  /** Shared by an app's clients in both environments; a new app by default. */
  appId?: string
  /** Null for our own apps. */
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
  /** The scopes that the app may request; a grant never exceeds them. */
  scope: string
  jwksUrl?: string | null
  jwks?: PublicJwks | null
  /** Whether it may be used at every practice of its environment; else only where enabled, and in its own sandbox. */
  everyPractice?: boolean
  /** Whether it is a resource server, which may introspect other apps' tokens. */
  introspectsAll?: boolean
}>

/** The fields of a registered app that may change. */
export type ClientConfiguration = Omit<
  NewClient,
  'clientId' | 'appId' | 'organizationId' | 'environment' | 'everyPractice' | 'introspectsAll'
>

/** The result of one check of an assertion. */
export type AssertionFinding = Readonly<{
  /** The stable name of the check, such as `signature`. */
  check: string
  /** The requirement, in one sentence. */
  title: string
  outcome: 'passed' | 'failed' | 'not_reached'
  /** The value that was found, truncated; only of known fields. */
  found: string | null
  /** How to fix it; null unless the check failed. */
  fix: string | null
}>

export type AssertionReport = Readonly<{
  /** Whether the token endpoint would accept it. */
  accepted: boolean
  findings: readonly AssertionFinding[]
  /** The known fields of the header, for display. */
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
  /** Leaves out client ids that start with one of these, such as those of sample apps. */
  withoutIds?: readonly string[]
}>
