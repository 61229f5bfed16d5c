/**
 * Exactly what we check, the same for everyone. The public page, the reviewer's checklist and the coded reasons are
 * made of this list: no one can be asked for anything, or turned away for anything, that is not in it.
 */

type RegistrationCheck = Readonly<{
  /** Authenticity: who asks. Configuration: what is asked for. They are decided apart. */
  part: 'authenticity' | 'configuration'
  title: string
  /** What we look at. */
  look: string
  /** Found by the linter before a request can be submitted; the reviewer sees its result. */
  automatic: boolean
}>

// biome-ignore format: a table reads as a table
export const registrationChecks = {
  organization: { part: 'authenticity', title: 'The organization exists', look: 'Its name, website and a responsible person.', automatic: false },
  domain: { part: 'authenticity', title: 'The organization owns the domain', look: 'A mailbox at the website’s domain was confirmed, or there is other evidence of ownership.', automatic: false },
  contact: { part: 'authenticity', title: 'Contacts respond', look: 'Someone reads email to the technical and security contacts.', automatic: false },
  authority: { part: 'authenticity', title: 'The requester is authorized', look: 'An owner or admin of the organization submitted the request.', automatic: true },
  identity: { part: 'configuration', title: 'The app is described accurately', look: 'Name and description belong to this app and don’t mislead anyone or copy another app.', automatic: false },
  links: { part: 'configuration', title: 'Links work', look: 'Website, privacy policy and terms of use open over https.', automatic: true },
  redirects: { part: 'configuration', title: 'Redirect URIs are exact', look: 'https, loopback or a private-use scheme; no wildcard, no fragment.', automatic: true },
  keys: { part: 'configuration', title: 'Keys are usable', look: 'The JWKS is reachable and contains RS384 or ES384 keys with unique kids and nothing private.', automatic: true },
  scopes: { part: 'configuration', title: 'Scopes fit the audience', look: 'Every scope is one we support and fits the kind of app.', automatic: true },
  attestations: { part: 'configuration', title: 'Attestations and terms', look: 'The current terms were accepted and every attestation was made.', automatic: true },
  purpose: { part: 'configuration', title: 'The reason for the request', look: 'For changes, higher limits and longer terms: what is needed, and why.', automatic: false },
} as const satisfies Record<string, RegistrationCheck>

export type RegistrationCheckId = keyof typeof registrationChecks
const registrationCheckIds = Object.keys(registrationChecks) as readonly RegistrationCheckId[]

type Reason = Readonly<{ check: RegistrationCheckId; sentence: string; template: string }>

/** What a reviewer may ask for. `template` is what the words begin with. */
// biome-ignore format: a table reads as a table
export const infoReasons = {
  organization_unclear: { check: 'organization', sentence: 'We can’t identify the organization.', template: 'Name the legal entity and a page that shows it.' },
  domain_unconfirmed: { check: 'domain', sentence: 'The domain is not confirmed as yours.', template: 'Confirm a mailbox at the domain, or explain why that isn’t possible.' },
  contact_silent: { check: 'contact', sentence: 'A contact did not respond.', template: 'Enter an address that someone reads.' },
  authority_unclear: { check: 'authority', sentence: 'We can’t tell whether you may act for the organization.', template: 'Ask an owner or admin of the organization to confirm it.' },
  description_unclear: { check: 'identity', sentence: 'The description doesn’t say what the app does.', template: 'Describe what the app does, and for whom.' },
  name_misleading: { check: 'identity', sentence: 'The name could be confused with another app.', template: 'Choose a name that can’t be confused with another app.' },
  link_broken: { check: 'links', sentence: 'A link doesn’t open, or leads to something else.', template: 'Correct the link to:' },
  redirect_unclear: { check: 'redirects', sentence: 'A redirect URI does not belong to the app.', template: 'Tell us who owns this URI, or change it:' },
  keys_unusable: { check: 'keys', sentence: 'The keys are not usable.', template: 'Make the key set reachable, or change:' },
  scope_unexplained: { check: 'scopes', sentence: 'A scope doesn’t fit what the app does.', template: 'Explain what it is for, or remove it:' },
  attestation_missing: { check: 'attestations', sentence: 'An attestation or acceptance of the current terms is missing.', template: 'Submit again with the current terms.' },
  purpose_unclear: { check: 'purpose', sentence: 'The reason for the request is unclear.', template: 'Tell us why you need it.' },
} as const satisfies Record<string, Reason>

/** Why a request is turned away. */
// biome-ignore format: a table reads as a table
export const rejectionReasons = {
  not_authentic: { check: 'organization', sentence: 'The organization is not who it claims to be.', template: 'Provide evidence that shows who you are.' },
  domain_of_others: { check: 'domain', sentence: 'The domain belongs to someone else.', template: 'Confirm a mailbox at the domain.' },
  no_authority: { check: 'authority', sentence: 'The requester may not act for the organization.', template: 'Have an owner of the organization submit the request.' },
  misleads: { check: 'identity', sentence: 'The app would mislead patients or practices.', template: 'Choose another name or an accurate description.' },
  redirect_of_others: { check: 'redirects', sentence: 'A redirect URI belongs to someone else.', template: 'Use redirect URIs that belong to you.' },
  keys_compromised: { check: 'keys', sentence: 'Others know the private keys.', template: 'Register new keys.' },
  no_purpose: { check: 'purpose', sentence: 'We can’t approve the reason for the request.', template: 'Give a reason that the policy covers.' },
} as const satisfies Record<string, Reason>

export type InfoReason = keyof typeof infoReasons
export type RejectionReason = keyof typeof rejectionReasons

/** The checks that a person ticks before the configuration counts as valid. */
export const configurationChecks = registrationCheckIds.filter(
  (id) => registrationChecks[id].part === 'configuration',
)

/** Which of the checks belong to each kind of request. */
export function checksOf(kind: 'app' | 'change' | 'limits' | 'key_term'): readonly RegistrationCheckId[] {
  if (kind === 'app') return registrationCheckIds.filter((id) => id !== 'purpose')
  return kind === 'change' ? configurationChecks : ['purpose']
}

export const reviewTextLength = { min: 3, max: 2_000 } as const
