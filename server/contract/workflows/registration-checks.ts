/**
 * Exactly what we check, the same for everyone. The public page, the reviewer's checklist and the coded reasons are
 * made of this list: nobody can be asked for anything, or turned away for anything, that is not in it.
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
  organization: { part: 'authenticity', title: 'The organization exists', look: 'Its name, website and a person who answers for it.', automatic: false },
  domain: { part: 'authenticity', title: 'The domain is the organization’s', look: 'A mailbox at the domain of the website was confirmed, or other evidence that it is theirs.', automatic: false },
  contact: { part: 'authenticity', title: 'Contacts answer', look: 'Technical and security contact are addresses somebody reads.', automatic: false },
  authority: { part: 'authenticity', title: 'Whoever asks may ask', look: 'The request was submitted by an owner or admin of the organization.', automatic: true },
  identity: { part: 'configuration', title: 'The app says what it is', look: 'Name and description are of this app, mislead nobody and are no one else’s.', automatic: false },
  links: { part: 'configuration', title: 'Links answer', look: 'Website, privacy policy and terms of use answer over https.', automatic: true },
  redirects: { part: 'configuration', title: 'Redirect URIs are exact', look: 'Https, loopback or a private-use scheme; no wildcard, no fragment.', automatic: true },
  keys: { part: 'configuration', title: 'Keys can be used', look: 'The JWKS answers, holds RS384 or ES384 keys with unique kids and nothing private.', automatic: true },
  scopes: { part: 'configuration', title: 'Scopes fit the audience', look: 'Every scope is one we serve and belongs to the kind of app.', automatic: true },
  attestations: { part: 'configuration', title: 'Attestations and terms', look: 'The present terms were accepted and every attestation was made.', automatic: true },
  purpose: { part: 'configuration', title: 'The reason of the request', look: 'For changes, higher limits and longer terms: what is needed, and why.', automatic: false },
} as const satisfies Record<string, RegistrationCheck>

export type RegistrationCheckId = keyof typeof registrationChecks
const registrationCheckIds = Object.keys(registrationChecks) as readonly RegistrationCheckId[]

type Reason = Readonly<{ check: RegistrationCheckId; sentence: string; template: string }>

/** What a reviewer may ask for. `template` is what the words begin with. */
// biome-ignore format: a table reads as a table
export const infoReasons = {
  organization_unclear: { check: 'organization', sentence: 'We cannot tell who the organization is.', template: 'Name the legal entity and a page that shows it.' },
  domain_unconfirmed: { check: 'domain', sentence: 'The domain is not confirmed as yours.', template: 'Confirm a mailbox at the domain, or tell us why it cannot be done.' },
  contact_silent: { check: 'contact', sentence: 'A contact did not answer.', template: 'Give an address that somebody reads.' },
  authority_unclear: { check: 'authority', sentence: 'We cannot tell that you may ask for the organization.', template: 'Let an owner or admin of the organization say so.' },
  description_unclear: { check: 'identity', sentence: 'The description does not say what the app does.', template: 'Say what the app does, and for whom.' },
  name_misleading: { check: 'identity', sentence: 'The name may be taken for somebody else’s.', template: 'Choose a name that nobody takes for another’s app.' },
  link_broken: { check: 'links', sentence: 'A link does not answer, or shows something else.', template: 'Put right the link to:' },
  redirect_unclear: { check: 'redirects', sentence: 'A redirect address does not belong to the app.', template: 'Tell us whose address this is, or change it:' },
  keys_unusable: { check: 'keys', sentence: 'The keys cannot be used.', template: 'Serve the keys so that they can be fetched, or change:' },
  scope_unexplained: { check: 'scopes', sentence: 'A scope does not fit what the app does.', template: 'Tell us what it is for, or leave it out:' },
  attestation_missing: { check: 'attestations', sentence: 'An attestation or the present terms are missing.', template: 'Submit again with the present terms.' },
  purpose_unclear: { check: 'purpose', sentence: 'The reason of the request is not clear.', template: 'Tell us what it is needed for.' },
} as const satisfies Record<string, Reason>

/** Why a request is turned away. */
// biome-ignore format: a table reads as a table
export const rejectionReasons = {
  not_authentic: { check: 'organization', sentence: 'The organization is not what it says it is.', template: 'Evidence that shows who you are would change this.' },
  domain_of_others: { check: 'domain', sentence: 'The domain is somebody else’s.', template: 'A confirmed mailbox at the domain would change this.' },
  no_authority: { check: 'authority', sentence: 'Whoever asked may not ask for the organization.', template: 'A request by an owner of the organization would change this.' },
  misleads: { check: 'identity', sentence: 'The app would mislead patients or practices.', template: 'Another name, or a description that fits, would change this.' },
  redirect_of_others: { check: 'redirects', sentence: 'A redirect address leads to somebody else.', template: 'Addresses of your own would change this.' },
  keys_compromised: { check: 'keys', sentence: 'The keys are known to others.', template: 'New keys would change this.' },
  no_purpose: { check: 'purpose', sentence: 'The request has no reason that we can grant.', template: 'A reason that is in the policy would change this.' },
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
