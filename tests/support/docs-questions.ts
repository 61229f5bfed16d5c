/**
 * What readers ask of the documentation, and the pages that answer: the first thirty were written before the search was
 * built, the others are about the tasks of the guides, each in other words than its title.
 */
export interface DocsQuestion {
  readonly asks: string
  /** Any of these answers it; with an anchor, that part of the page. */
  readonly pages: readonly string[]
}

const question = (asks: string, ...pages: readonly string[]): DocsQuestion => ({
  asks,
  pages: pages.map((page) => (page.startsWith('/') ? page : `/docs/${page}`)),
})

export const docsQuestions: readonly DocsQuestion[] = [
  question('pagination', 'paging'),
  question('python', 'patient-app', 'ehr-launch', 'backend', 'smart'),
  question('timeout', 'limits'),
  question('redirect uri mismatch', 'smart', 'errors'),
  question('how to authenticate', 'authentication'),
  question('api key header', 'authentication', 'rest'),
  question('rate limit', 'limits', 'errors/rate_limited'),
  question('429 too many requests', 'limits', 'errors/rate_limited'),
  question('401 unauthorized', 'errors/unauthorized', 'authentication', 'faq'),
  question('test patients login', 'sandbox-people'),
  question('what password do the sandbox patients have', 'sandbox-people'),
  question('bulk export', 'bulk', 'backend'),
  question('webhooks', 'faq', 'rest'),
  question('can I write data', 'rest', 'faq', 'write#create-a-patient'),
  question('idempotency key', 'rest', 'write#retry-a-write-without-duplicates'),
  question('which FHIR version do you support', 'fhir'),
  question('us core profiles', 'fhir'),
  question('pkce code challenge', 'smart', 'patient-app'),
  question('scopes for lab results', 'scopes'),
  question('ehr launch context', 'ehr-launch', 'smart', 'scopes'),
  question('sign a jwt client assertion', 'backend', 'smart'),
  question('is the api down', 'status', '/status'),
  question('uptime badge', 'status'),
  question('how do I go to production', 'production'),
  question('my key was leaked', 'security', '/report-a-key', 'keys#revoke-a-key'),
  question('connect claude', 'mcp'),
  question('cursor', 'mcp'),
  question('next page link', 'paging'),
  question('404 but the patient exists', 'faq', 'errors/not_found', 'security#patient-privacy-and-why-404'),
  question('cors from the browser', 'faq', 'authentication', 'smart#call-the-api-from-a-browser'),
  question('keep a user logged in for months', 'tokens#refresh-an-access-token'),
  question('my access token stopped working after an hour', 'tokens#refresh-an-access-token', 'smart'),
  question('limit what an app can see', 'scopes'),
  question('simulate an expired token', 'tokens#test-token-expiry'),
  question('log the user out', 'tokens#sign-a-person-out'),
  question('is this token still valid', 'tokens#check-what-a-token-may-do'),
  question('callback url not accepted', 'smart#fix-a-redirect-uri-mismatch'),
  question('look up someone by medical record number', 'paging#find-a-patient', 'rest'),
  question('loop over every page', 'paging'),
  question('sync nightly', 'paging#read-only-what-changed', 'bulk'),
  question('results from last month', 'paging#search-by-date'),
  question('blood test values', 'read#read-lab-results'),
  question('download a pdf from the chart', 'read#read-an-attachment'),
  question('c-cda document', 'read#download-a-patient-summary', 'rest', 'fhir'),
  question('transaction bundle', 'read#send-many-requests-at-once'),
  question('call from javascript in a web page', 'smart#call-the-api-from-a-browser'),
  question('add a new patient', 'write#create-a-patient'),
  question('upload a document', 'write#register-a-document'),
  question('avoid creating the same record twice', 'write#retry-a-write-without-duplicates'),
  question('undo a mistake in the chart', 'write#correct-or-delete-a-record'),
  question('my requests are throttled', 'limits'),
  question('what went wrong with my request', 'errors#find-out-why-a-request-was-refused'),
  question('request hangs forever', 'limits#set-timeouts'),
  question('where do I get an api key', 'start'),
  question('when does my key expire', 'keys', 'authentication'),
  question('swap an old key for a new one', 'keys#rotate-a-key-without-downtime'),
  question('disable a stolen key', 'keys#revoke-a-key'),
  question('ip allowlist', 'keys#bind-a-key-to-your-networks'),
  question('make the server return an error', 'sandbox-lab'),
  question('clean up test data', 'sandbox#reset-the-sandbox'),
]
