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
  question('how do I get a refresh token', '/docs/smart', '/docs/patient-app', '/docs/ehr-launch'),
  question('why do I get 403', '/docs/errors/forbidden', '/docs/errors'),
  question('pagination', '/docs/paging'),
  question('python', '/docs/patient-app', '/docs/ehr-launch', '/docs/backend', '/docs/smart'),
  question('timeout', '/docs/limits'),
  question('redirect uri mismatch', '/docs/smart', '/docs/errors'),
  question('how to authenticate', '/docs/authentication'),
  question('api key header', '/docs/authentication', '/docs/rest'),
  question('rate limit', '/docs/limits', '/docs/errors/rate_limited'),
  question('429 too many requests', '/docs/limits', '/docs/errors/rate_limited'),
  question('token expired', '/docs/smart', '/docs/authentication', '/docs/faq'),
  question('401 unauthorized', '/docs/errors/unauthorized', '/docs/authentication', '/docs/faq'),
  question('test patients login', '/docs/sandbox-people'),
  question('what password do the sandbox patients have', '/docs/sandbox-people'),
  question('bulk export', '/docs/bulk', '/docs/backend'),
  question('export only what changed since yesterday', '/docs/bulk', '/docs/backend'),
  question('webhooks', '/docs/faq', '/docs/rest'),
  question('can I write data', '/docs/rest', '/docs/faq'),
  question('idempotency key', '/docs/rest'),
  question('create a patient', '/docs/rest', '/explorer/rest/createPatient'),
  question('search patients by name', '/docs/rest', '/docs/fhir', '/explorer/rest/listPatients'),
  question('which FHIR version do you support', '/docs/fhir'),
  question('us core profiles', '/docs/fhir'),
  question('pkce code challenge', '/docs/smart', '/docs/patient-app'),
  question('scopes for lab results', '/docs/scopes'),
  question('ehr launch context', '/docs/ehr-launch', '/docs/smart', '/docs/scopes'),
  question('sign a jwt client assertion', '/docs/backend', '/docs/smart'),
  question('is the api down', '/docs/status', '/status'),
  question('uptime badge', '/docs/status'),
  question('how do I go to production', '/docs/production'),
  question('who sponsors my key', '/docs/production', '/docs/glossary'),
  question('business associate agreement', '/docs/production', '/docs/glossary', '/legal'),
  question('rotate a key without downtime', '/docs/authentication', '/docs/security'),
  question('my key was leaked', '/docs/security', '/report-a-key'),
  question('connect claude', '/docs/mcp'),
  question('cursor', '/docs/mcp'),
  question('download a ccd', '/docs/rest', '/docs/fhir', '/explorer/rest/getCcda'),
  question('next page link', '/docs/paging'),
  question('404 but the patient exists', '/docs/faq', '/docs/errors/not_found'),
  question('cors from the browser', '/docs/faq', '/docs/authentication'),
  question('how much does it cost', '/docs/faq'),
  question('typescript sdk', '/docs/client'),
  question('retry after', '/docs/limits', '/docs/errors/rate_limited'),
  question('maximum body size', '/docs/limits', '/docs/errors/payload_too_large'),
  question('_revinclude provenance', '/docs/fhir'),
  question('patient $everything', '/docs/fhir'),
  question('inject faults', '/docs/sandbox-lab'),
  question('simulate a slow server', '/docs/sandbox-lab'),
  question('launch without an account', '/docs/sandbox-lab', '/launch'),
  question('correlation id', '/docs/errors', '/docs/authentication', '/docs/rest'),
  question('x-purpose header', '/docs/rest'),
  question('cancel an export', '/docs/bulk'),
  question('group id for the export', '/docs/bulk', '/docs/backend'),
  question('invalid_grant', '/docs/smart'),
  question('patient with an empty chart', '/docs/sandbox-people'),
  question('what does sponsorship mean', '/docs/glossary', '/docs/production'),
  question('who has looked at a record', '/docs/rest', '/docs/security'),
  question('get notified of incidents', '/docs/status', '/status/subscribe'),
  question('openapi specification', '/docs/rest', '/docs/client', '/explorer/reference'),
  question('medication request scope', '/docs/scopes'),
]

/** As they fell out: the search was not changed for these. */
export const questionsAfter: readonly DocsQuestion[] = [
  question('how do I test token expiry', '/docs/smart', '/docs/sandbox-lab'),
  question('narrower scopes', '/docs/scopes', '/docs/fhir'),
  question('read an attachment', '/docs/fhir'),
  question('why was my app refused', '/docs/patient-app', '/docs/smart', '/docs/production'),
  question('batch of requests', '/docs/faq', '/docs/checklist'),
  question('date format in queries', '/docs/rest', '/docs/fhir'),
  question('is there a staging environment', '/docs/glossary', '/docs/architecture'),
  question('how many patients does the sandbox have', '/docs/sandbox-people'),
  question('delete a patient', '/docs/rest', '/docs/faq'),
  question('what happens when I revoke a key', '/docs/security', '/docs/authentication'),
]
