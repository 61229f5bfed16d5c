/**
 * What readers ask of the documentation, and the pages that answer: the first thirty were written before the search was
 * built, the others are about the how-tos, each in other words than its title.
 */
export interface DocsQuestion {
  readonly asks: string
  /** Any of these answers it; with an anchor, that part of the page. */
  readonly pages: readonly string[]
}

const question = (asks: string, ...pages: readonly string[]): DocsQuestion => ({ asks, pages })

export const docsQuestions: readonly DocsQuestion[] = [
  question('pagination', '/docs/paging', '/docs/how-to/page-through-results'),
  question('python', '/docs/patient-app', '/docs/ehr-launch', '/docs/backend', '/docs/smart'),
  question('timeout', '/docs/limits', '/docs/how-to/set-timeouts'),
  question('redirect uri mismatch', '/docs/smart', '/docs/errors', '/docs/how-to/fix-a-redirect-uri'),
  question('how to authenticate', '/docs/authentication'),
  question('api key header', '/docs/authentication', '/docs/rest'),
  question('rate limit', '/docs/limits', '/docs/errors/rate_limited', '/docs/how-to/handle-429'),
  question('429 too many requests', '/docs/limits', '/docs/errors/rate_limited', '/docs/how-to/handle-429'),
  question('401 unauthorized', '/docs/errors/unauthorized', '/docs/authentication', '/docs/faq'),
  question('test patients login', '/docs/sandbox-people'),
  question('what password do the sandbox patients have', '/docs/sandbox-people'),
  question('bulk export', '/docs/bulk', '/docs/backend'),
  question('webhooks', '/docs/faq', '/docs/rest'),
  question('can I write data', '/docs/rest', '/docs/faq', '/docs/how-to/create-a-patient'),
  question('idempotency key', '/docs/rest', '/docs/how-to/retry-a-write'),
  question('which FHIR version do you support', '/docs/fhir'),
  question('us core profiles', '/docs/fhir'),
  question('pkce code challenge', '/docs/smart', '/docs/patient-app'),
  question('scopes for lab results', '/docs/scopes'),
  question('ehr launch context', '/docs/ehr-launch', '/docs/smart', '/docs/scopes'),
  question('sign a jwt client assertion', '/docs/backend', '/docs/smart'),
  question('is the api down', '/docs/status', '/status', '/docs/how-to/watch-the-status'),
  question('uptime badge', '/docs/status'),
  question('how do I go to production', '/docs/production'),
  question('my key was leaked', '/docs/security', '/report-a-key', '/docs/how-to/revoke-a-key'),
  question('connect claude', '/docs/mcp'),
  question('cursor', '/docs/mcp'),
  question('next page link', '/docs/paging', '/docs/how-to/page-through-results'),
  question('404 but the patient exists', '/docs/faq', '/docs/errors/not_found', '/docs/privacy'),
  question('cors from the browser', '/docs/faq', '/docs/authentication', '/docs/how-to/call-from-a-browser'),
  question('keep a user logged in for months', '/docs/how-to/refresh-a-token'),
  question('my access token stopped working after an hour', '/docs/how-to/refresh-a-token', '/docs/smart'),
  question('limit what an app can see', '/docs/how-to/ask-for-narrower-scopes', '/docs/scopes'),
  question('simulate an expired token', '/docs/how-to/test-token-expiry'),
  question('log the user out', '/docs/how-to/revoke-a-token'),
  question('is this token still valid', '/docs/how-to/introspect-a-token'),
  question('callback url not accepted', '/docs/how-to/fix-a-redirect-uri'),
  question('look up someone by medical record number', '/docs/how-to/find-a-patient', '/docs/rest'),
  question('loop over every page', '/docs/how-to/page-through-results', '/docs/paging'),
  question('sync nightly', '/docs/how-to/read-only-what-changed', '/docs/bulk'),
  question('results from last month', '/docs/how-to/search-by-date'),
  question('blood test values', '/docs/how-to/read-lab-results'),
  question('download a pdf from the chart', '/docs/how-to/read-an-attachment'),
  question('c-cda document', '/docs/how-to/download-a-ccd', '/docs/rest', '/docs/fhir'),
  question('transaction bundle', '/docs/how-to/send-many-requests'),
  question('call from javascript in a web page', '/docs/how-to/call-from-a-browser'),
  question('add a new patient', '/docs/how-to/create-a-patient'),
  question('upload a document', '/docs/how-to/register-a-document'),
  question('avoid creating the same record twice', '/docs/how-to/retry-a-write'),
  question('undo a mistake in the chart', '/docs/how-to/correct-or-delete-a-record'),
  question('my requests are throttled', '/docs/how-to/handle-429', '/docs/limits'),
  question('what went wrong with my request', '/docs/how-to/find-out-why-a-request-was-refused'),
  question('request hangs forever', '/docs/how-to/set-timeouts'),
  question('where do I get an api key', '/docs/how-to/get-a-sandbox-key', '/docs/start'),
  question('when does my key expire', '/docs/how-to/check-a-key', '/docs/authentication'),
  question('swap an old key for a new one', '/docs/how-to/rotate-a-key'),
  question('disable a stolen key', '/docs/how-to/revoke-a-key'),
  question('ip allowlist', '/docs/how-to/bind-a-key-to-networks'),
  question('make the server return an error', '/docs/how-to/inject-an-error', '/docs/sandbox-lab'),
  question('clean up test data', '/docs/how-to/reset-the-sandbox'),
]
