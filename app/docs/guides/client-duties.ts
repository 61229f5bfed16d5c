/**
 * The specification's requirements for clients, in our own words, and the section of a guide that explains each. The
 * section has the phrase, which `tests/conventions/guides.test.ts` checks. The documentation shows the list.
 */
type ClientDuty = Readonly<{
  duty: string
  interface: 'FHIR' | 'SMART' | 'Bulk Data' | 'REST' | 'Status' | 'All'
  /** Slug of the guide. */
  guide: string
  /** The heading of the guide's section; empty for the text before the first heading. */
  section: string
  /** Words of that section, without Markdown. */
  phrase: string
}>

/** @param texts the section's phrases, each with the duty that it explains */
const duties = (
  interfaceName: ClientDuty['interface'],
  guide: string,
  section: string,
  texts: Readonly<Record<string, string>>,
): readonly ClientDuty[] =>
  Object.entries(texts).map(([phrase, duty]) => ({ duty, interface: interfaceName, guide, section, phrase }))

export const clientDuties: readonly ClientDuty[] = [
  ...duties('FHIR', 'fhir', 'The base of a practice', {
    'Take the exact base from the practice directory':
      'Take each practice’s exact base from the public directory.',
    'It is authoritative for types, interactions, search parameters and profiles':
      'Read the CapabilityStatement for what is supported.',
  }),
  ...duties('FHIR', 'fhir', '', {
    'create, update, patch, delete, batch and transaction are unsupported':
      'Don’t write with FHIR; it is read-only.',
  }),
  ...duties('FHIR', 'fhir', 'Requests', {
    'Send Accept: application/fhir+json': 'Request FHIR JSON, and send the token as a bearer token.',
  }),
  ...duties('FHIR', 'fhir', 'Searching', {
    'name one with patient, or with _id when the type is Patient':
      'Name the patient of a search unless the token implies one.',
    'Follow the link next until it is absent': 'Follow the link next until it is absent.',
  }),
  ...duties('FHIR', 'paging', 'FHIR', {
    'Use the address unchanged': 'Use page links unchanged.',
  }),
  ...duties('FHIR', 'fhir', 'Searching', {
    'The same search can be sent as a form': 'Send a search by POST to keep its parameters out of the URL.',
  }),
  ...duties('FHIR', 'fhir', 'Included resources', {
    'Included resources need a granted scope of their own': 'Request scopes for included resources, too.',
    'it works on every type but Provenance': 'Don’t use _revinclude on Provenance.',
  }),
  ...duties('FHIR', 'fhir', 'Operations', {
    '$everything needs a grant for the complete chart':
      'Before you call $everything, get a grant for the complete chart.',
    '$docref takes no filter by document profile': 'Don’t filter $docref by document profile.',
  }),
  ...duties('FHIR', 'fhir', 'Narrow scopes', {
    'you get what it covers and nothing else': 'Expect a narrowed scope to apply to searches and reads.',
  }),
  ...duties('FHIR', 'fhir', 'Finding changes', {
    'There are no subscriptions': 'Poll for changes; the FHIR API sends no notifications.',
  }),
  ...duties('FHIR', 'errors', 'FHIR', {
    'Errors are OperationOutcome resources': 'Parse errors as OperationOutcome.',
    'It doesn’t tell you whether a patient exists': 'Don’t infer from a 404 whether a patient exists.',
  }),
  ...duties('FHIR', 'production', 'A FHIR app', {
    'Send no patient records, private keys or client secrets':
      'Send no patient records, private keys or client secrets when you register.',
    'If something is missing': 'Answer when we ask for missing details of a registration.',
  }),
  ...duties('FHIR', 'fhir', '', {
    'not yet on the public certified-products list': 'Don’t call the service certified.',
  }),
  ...duties('SMART', 'smart', '', {
    'Read the endpoints, scopes and capabilities from this document':
      'Read the authorization server’s URLs from its metadata; don’t build them.',
    'The app must be registered, and the practice must let apps in':
      'Register the app first, and check that the practice lets apps in.',
  }),
  ...duties('SMART', 'smart', 'Backend systems', {
    'The practice authorizes your system for its data': 'Ask the practice to authorize a backend system.',
    'Make a new assertion for every request': 'Sign a new assertion for every token request.',
  }),
  ...duties('SMART', 'smart', 'A standalone launch', {
    'Work with what is granted': 'Work with the scopes that are granted.',
  }),
  ...duties('SMART', 'scopes', 'Syntax', {
    'Finding the Group of a practice needs system/Group.rs': 'Request system/Group.rs to find the Group.',
  }),
  ...duties('SMART', 'smart', 'Lifetimes', {
    'be ready for a 401': 'Be prepared to lose access at any time.',
  }),
  ...duties('Bulk Data', 'bulk', '', {
    'at the level of the Group': 'Export at the Group level only.',
  }),
  ...duties('Bulk Data', 'bulk', 'Before the first run', {
    'Get a token with a system scope': 'Get a backend token with a system scope.',
  }),
  ...duties('Bulk Data', 'bulk', '1. Find the Group', {
    'Each practice has exactly one': 'Find the practice’s Group.',
  }),
  ...duties('Bulk Data', 'bulk', '2. Kick off', {
    'Both headers are required': 'Send Accept and Prefer with the kick-off request.',
    'Request only types that your token’s scopes cover': 'Request only types that your scopes cover.',
    'an instant, URL-encoded': 'Send _since as an instant, URL-encoded and not in the future.',
    'Any other parameter is refused with 400': 'Send no other parameters.',
    'A practice runs one export at a time': 'Run one export per practice at a time.',
  }),
  ...duties('Bulk Data', 'bulk', '3. Wait', {
    'Wait Retry-After seconds between two requests':
      'Between two status requests, wait as long as Retry-After says.',
    'Look at error before you use output': 'Check the manifest’s error list first.',
    'Partial output is not a complete export': 'Never treat partial output as a complete export.',
  }),
  ...duties('Bulk Data', 'bulk', '4. Fetch the files', {
    'The files also need a current token': 'Download files with a current token of the same client.',
    'A link lasts 24 hours': 'Download files within 24 hours.',
  }),
  ...duties('Bulk Data', 'bulk', '5. Delete the export', {
    'DELETE cancels a running export': 'Cancel exports that you don’t need.',
  }),
  ...duties('Bulk Data', 'bulk', 'Only what changed', {
    'send it as _since of the next one': 'Export only what changed since your last run.',
  }),
  ...duties('REST', 'authentication', 'Where a key belongs', {
    'A key belongs on a server that you control': 'Keep a key on a server that you control.',
    'Never ship it in a browser bundle, a mobile app, a desktop client':
      'Never ship a key in anything that a user can open.',
  }),
  ...duties('REST', 'authentication', 'API keys', {
    'You may quote the prefix to support. Never share the whole key':
      'Quote the public prefix to support, never the key.',
    'A key is bound to exactly one practice': 'Use one key for each practice.',
    'A read_only key may use safe methods only': 'Write with a full key only.',
    'Replace a key in time': 'Replace a key before it expires.',
  }),
  ...duties('REST', 'rest', 'Requests', {
    'Authorization: Bearer and the key, on every request': 'Send the key with every request.',
    'Writes need Content-Type: application/json': 'Send JSON, with Content-Type: application/json.',
    'A body is at most 1 MB': 'Keep bodies within 1 MB.',
  }),
  ...duties('REST', 'rest', 'Purpose of use', {
    'Send the purpose of the request': 'Send the request’s purpose in X-Purpose.',
  }),
  ...duties('REST', 'rest', '', {
    'It is not a list of every route': 'Don’t treat the OpenAPI document as a list of every route.',
  }),
  ...duties('REST', 'rest', 'Finding patients', {
    'The response is the same 404': 'Expect a 404 for another practice’s record.',
  }),
  ...duties('REST', 'rest', 'What no key may do', {
    'refused for every key of every level': 'Don’t try what no key may do.',
  }),
  ...duties('REST', 'rest', 'What is recorded', {
    'There are no webhooks': 'Poll for changes; there are no webhooks.',
  }),
  ...duties('REST', 'paging', 'REST', {
    'Continue while page.hasMore is true':
      'Read pages until hasMore is false, with at most 100 records per page.',
  }),
  ...duties('REST', 'errors', 'REST', {
    'does not say whether the key is unknown, revoked or expired': 'Don’t infer a cause from a 401.',
    'retry with backoff': 'Retry a 5xx with backoff.',
    'It identifies the request': 'Log correlation IDs, and send them to support.',
  }),
  ...duties('REST', 'start', 'Get a sandbox key', {
    'Say what you are building':
      'To get a key, describe your project, name a technical contact and accept the terms.',
  }),
  ...duties('REST', 'production', 'A production REST key', {
    'A practice sponsors you': 'Ask a practice to sponsor a production key.',
    'You sign the API usage agreement': 'Sign the usage agreement and follow its policy.',
    'You and the practice sign a business associate agreement':
      'Sign a business associate agreement with the practice.',
  }),
  ...duties('REST', 'sandbox-people', 'No real data', {
    'Put no real person’s data into the sandbox': 'Put no real data into the sandbox.',
  }),
  ...duties('Status', 'status', '', {
    'It is informational': 'Treat the status as information, not as a guarantee.',
  }),
  ...duties('Status', 'status', 'Polling', {
    'Poll no more often than every 30 seconds': 'Poll no more often than every 30 seconds.',
    'Responses are no-store': 'Don’t cache responses.',
    'Browsers can read it from the public status page only': 'Call it from your server, not from a browser.',
  }),
  ...duties('Status', 'status', 'States of a component', {
    'never as up': 'Never show not_available as operational.',
    'never as an outage': 'Never show disabled as an outage.',
    'A row that was set by hand carries overridden': 'Mark states that were set by hand.',
  }),
  ...duties('Status', 'status', 'One practice', {
    'Do not show it as an outage': 'Don’t show an unknown practice as an outage.',
  }),
  ...duties('Status', 'status', 'The platform', {
    'not a certification claim': 'Don’t take the FHIR and SMART rows as a certification claim.',
  }),
  ...duties('All', 'limits', 'Rate limits', {
    'Wait as many seconds as it says, then continue with fewer requests at once':
      'After a 429, wait as long as Retry-After says and reduce concurrency.',
    'Both windows of a rate limit apply at once': 'Stay within both windows of a rate limit.',
    'Higher limits are available free on request': 'Ask for higher limits; they are free.',
  }),
  ...duties('All', 'authentication', 'API keys', {
    'A sandbox key is unknown at the production base': 'Keep sandbox and production credentials apart.',
  }),
]
