/**
 * What readers ask of the documentation, and the pages that answer. The first sixty were written before the search
 * was built, the rest after it.
 */
export interface DocsQuestion {
  readonly asks: string
  /** Any of these answers it; with an anchor, that part of the page. */
  readonly pages: readonly string[]
}

const question = (asks: string, ...pages: readonly string[]): DocsQuestion => ({ asks, pages })

export const questionsBefore: readonly DocsQuestion[] = [
  question(
    'how do I get a refresh token',
    '/docs/smart',
    '/docs/patient-app',
    '/docs/ehr-launch',
    '/docs/how-to/refresh-a-token',
  ),
  question(
    'why do I get 403',
    '/docs/errors/forbidden',
    '/docs/errors',
    '/docs/how-to/find-out-why-a-request-was-refused',
  ),
  question('pagination', '/docs/paging', '/docs/how-to/page-through-results'),
  question('python', '/docs/patient-app', '/docs/ehr-launch', '/docs/backend', '/docs/smart'),
  question('timeout', '/docs/limits', '/docs/how-to/set-timeouts'),
  question('redirect uri mismatch', '/docs/smart', '/docs/errors', '/docs/how-to/fix-a-redirect-uri'),
  question('how to authenticate', '/docs/authentication'),
  question('api key header', '/docs/authentication', '/docs/rest'),
  question('rate limit', '/docs/limits', '/docs/errors/rate_limited', '/docs/how-to/handle-429'),
  question('429 too many requests', '/docs/limits', '/docs/errors/rate_limited', '/docs/how-to/handle-429'),
  question(
    'token expired',
    '/docs/smart',
    '/docs/authentication',
    '/docs/faq',
    '/docs/how-to/refresh-a-token',
  ),
  question('401 unauthorized', '/docs/errors/unauthorized', '/docs/authentication', '/docs/faq'),
  question('test patients login', '/docs/sandbox-people'),
  question('what password do the sandbox patients have', '/docs/sandbox-people'),
  question('bulk export', '/docs/bulk', '/docs/backend'),
  question(
    'export only what changed since yesterday',
    '/docs/bulk',
    '/docs/backend',
    '/docs/how-to/read-only-what-changed',
  ),
  question('webhooks', '/docs/faq', '/docs/rest'),
  question('can I write data', '/docs/rest', '/docs/faq', '/docs/how-to/create-a-patient'),
  question('idempotency key', '/docs/rest', '/docs/how-to/retry-a-write'),
  question('create a patient', '/docs/rest', '/explorer/rest/createPatient', '/docs/how-to/create-a-patient'),
  question(
    'search patients by name',
    '/docs/rest',
    '/docs/fhir',
    '/explorer/rest/listPatients',
    '/docs/how-to/find-a-patient',
  ),
  question('which FHIR version do you support', '/docs/fhir'),
  question('us core profiles', '/docs/fhir'),
  question('pkce code challenge', '/docs/smart', '/docs/patient-app'),
  question('scopes for lab results', '/docs/scopes'),
  question('ehr launch context', '/docs/ehr-launch', '/docs/smart', '/docs/scopes'),
  question('sign a jwt client assertion', '/docs/backend', '/docs/smart'),
  question('is the api down', '/docs/status', '/status', '/docs/how-to/watch-the-status'),
  question('uptime badge', '/docs/status'),
  question('how do I go to production', '/docs/production'),
  question(
    'who sponsors my key',
    '/docs/production',
    '/docs/glossary',
    '/docs/how-to/request-a-production-key',
  ),
  question(
    'business associate agreement',
    '/docs/production',
    '/docs/glossary',
    '/legal',
    '/docs/agreements',
  ),
  question(
    'rotate a key without downtime',
    '/docs/authentication',
    '/docs/security',
    '/docs/how-to/rotate-a-key',
  ),
  question('my key was leaked', '/docs/security', '/report-a-key', '/docs/how-to/revoke-a-key'),
  question('connect claude', '/docs/mcp'),
  question('cursor', '/docs/mcp'),
  question(
    'download a ccd',
    '/docs/rest',
    '/docs/fhir',
    '/explorer/rest/getCcda',
    '/docs/how-to/download-a-ccd',
  ),
  question('next page link', '/docs/paging', '/docs/how-to/page-through-results'),
  question('404 but the patient exists', '/docs/faq', '/docs/errors/not_found', '/docs/privacy'),
  question('cors from the browser', '/docs/faq', '/docs/authentication', '/docs/how-to/call-from-a-browser'),
  question('how much does it cost', '/docs/faq'),
  question('typescript sdk', '/docs/client'),
  question('retry after', '/docs/limits', '/docs/errors/rate_limited', '/docs/how-to/handle-429'),
  question('maximum body size', '/docs/limits', '/docs/errors/payload_too_large'),
  question('_revinclude provenance', '/docs/fhir'),
  question('patient $everything', '/docs/fhir'),
  question('inject faults', '/docs/sandbox-lab', '/docs/how-to/inject-an-error'),
  question('simulate a slow server', '/docs/sandbox-lab'),
  question('launch without an account', '/docs/sandbox-lab', '/launch'),
  question('correlation id', '/docs/errors', '/docs/authentication', '/docs/rest'),
  question('x-purpose header', '/docs/rest'),
  question('cancel an export', '/docs/bulk'),
  question('group id for the export', '/docs/bulk', '/docs/backend'),
  question('invalid_grant', '/docs/smart'),
  question('patient with an empty chart', '/docs/sandbox-people'),
  question('what does sponsorship mean', '/docs/glossary', '/docs/production'),
  question(
    'who has looked at a record',
    '/docs/rest',
    '/docs/security',
    '/docs/how-to/read-the-access-record',
  ),
  question('get notified of incidents', '/docs/status', '/status/subscribe'),
  question('openapi specification', '/docs/rest', '/docs/client', '/explorer/reference'),
  question('medication request scope', '/docs/scopes'),
]

/** As they fell out: the search was not changed for these. */
export const questionsAfter: readonly DocsQuestion[] = [
  question(
    'how do I test token expiry',
    '/docs/smart',
    '/docs/sandbox-lab',
    '/docs/how-to/test-token-expiry',
  ),
  question('narrower scopes', '/docs/scopes', '/docs/fhir', '/docs/how-to/ask-for-narrower-scopes'),
  question('read an attachment', '/docs/fhir', '/docs/how-to/read-an-attachment'),
  question(
    'why was my app refused',
    '/docs/patient-app',
    '/docs/smart',
    '/docs/production',
    '/docs/how-to/find-out-why-a-request-was-refused',
  ),
  question('batch of requests', '/docs/faq', '/docs/checklist', '/docs/how-to/send-many-requests'),
  question('date format in queries', '/docs/rest', '/docs/fhir', '/docs/how-to/search-by-date'),
  question(
    'is there a staging environment',
    '/docs/glossary',
    '/docs/architecture',
    '/docs/how-to/use-a-staging-environment',
  ),
  question(
    'how many patients does the sandbox have',
    '/docs/sandbox-people',
    '/docs/how-to/count-the-sandbox-patients',
  ),
  question('delete a patient', '/docs/rest', '/docs/faq', '/docs/how-to/correct-or-delete-a-record'),
  question(
    'what happens when I revoke a key',
    '/docs/security',
    '/docs/authentication',
    '/docs/how-to/revoke-a-key',
  ),
]
