/** Pages that moved: emails and bookmarks have their old addresses. `:name` stands for a part of the path. */
import { paths } from './paths.ts'

/** Guides that are now a part of another one: the page, and its part. */
const movedGuides: Readonly<Record<string, string>> = {
  'how-to/refresh-a-token': 'tokens#refresh-an-access-token',
  'how-to/ask-for-narrower-scopes': 'scopes#ask-for-narrower-scopes',
  'how-to/test-token-expiry': 'tokens#test-token-expiry',
  'how-to/revoke-a-token': 'tokens#sign-a-person-out',
  'how-to/introspect-a-token': 'tokens#check-what-a-token-may-do',
  'how-to/fix-a-redirect-uri': 'smart#fix-a-redirect-uri-mismatch',
  'how-to/find-a-patient': 'paging#find-a-patient',
  'how-to/page-through-results': 'paging',
  'how-to/read-only-what-changed': 'paging#read-only-what-changed',
  'how-to/search-by-date': 'paging#search-by-date',
  'how-to/read-lab-results': 'read#read-lab-results',
  'how-to/read-an-attachment': 'read#read-an-attachment',
  'how-to/download-a-ccd': 'read#download-a-patient-summary',
  'how-to/send-many-requests': 'read#send-many-requests-at-once',
  'how-to/call-from-a-browser': 'smart#call-the-api-from-a-browser',
  'how-to/create-a-patient': 'write#create-a-patient',
  'how-to/register-a-document': 'write#register-a-document',
  'how-to/retry-a-write': 'write#retry-a-write-without-duplicates',
  'how-to/correct-or-delete-a-record': 'write#correct-or-delete-a-record',
  'how-to/handle-429': 'limits#handle-429',
  'how-to/find-out-why-a-request-was-refused': 'errors#find-out-why-a-request-was-refused',
  'how-to/set-timeouts': 'limits#set-timeouts',
  'how-to/get-a-sandbox-key': 'start#get-a-sandbox-key',
  'how-to/check-a-key': 'keys',
  'how-to/rotate-a-key': 'keys#rotate-a-key-without-downtime',
  'how-to/revoke-a-key': 'keys#revoke-a-key',
  'how-to/bind-a-key-to-networks': 'keys#bind-a-key-to-your-networks',
  'how-to/inject-an-error': 'sandbox-lab',
  'how-to/simulate-a-launch': 'sandbox-lab#launch-simulator',
  'how-to/count-the-sandbox-patients': 'sandbox-people#count-the-sandbox-patients',
  'how-to/reset-the-sandbox': 'sandbox#reset-the-sandbox',
  'how-to/use-a-staging-environment': 'sandbox#use-a-staging-environment',
  'how-to/find-a-practice': 'fhir#the-base-of-a-practice',
  'how-to/request-a-production-key': 'production#a-production-rest-key',
  'how-to/watch-the-status': 'status',
  'how-to/answer-a-request-for-a-key': 'practices#confirm-a-request',
  'how-to/let-a-backend-system-in': 'practices#let-a-backend-system-in',
  'how-to/stop-a-key': 'practices#stop-access',
  'how-to/see-what-keys-do': 'practices#see-what-keys-and-apps-do',
  'how-to/withhold-a-patient': 'practices#withhold-a-patient',
  'how-to/read-the-access-record': 'practices#check-who-read-what',
  'how-to/account-for-disclosures': 'practices#account-for-disclosures',
  'how-to/review-a-registration': 'reviewers',
  privacy: 'security#patient-privacy-and-why-404',
  architecture: 'security#architecture',
  client: 'rest#typescript-client',
}

export const moved: Readonly<Record<string, string>> = {
  '/inbox/settings': paths.inbox,
  '/inbox/stop-email': paths.inbox,
  '/practice/inbox/settings': paths.practiceInbox,
  '/staff/inbox/settings': paths.staffInbox,
  '/changelog/subscribe': '/docs/changelog',
  '/developers/key-doctor': '/docs/keys',
  '/trust': paths.trust,
  '/explorer/history': paths.explorer,
  '/docs/reference/errors': '/docs/errors',
  '/docs/reference/scopes': '/docs/scopes',
  '/docs/reference/events': '/docs/reference',
  '/explorer/export.http': '/docs/reference',
  '/explorer/export.postman.json': '/docs/reference',
  '/explorer/reference': '/docs/reference',
  '/staff': paths.reviewQueue,
  '/staff/docs-feedback': paths.reviewQueue,
  '/staff/workload': paths.reviewQueue,
  '/staff/replies': paths.reviewQueue,
  '/staff/constants': paths.staffJobs,
  '/staff/sessions': paths.staffPeople,
  '/staff/status': paths.staffIncidents,
  '/staff/production-keys': `${paths.reviewQueue}?kind=production_key`,
  '/practice/access-review': paths.practice,
  '/practice/recertification': paths.practice,
  '/practice/second-steps': paths.practiceStaff,
  '/practice/use': paths.practice,
  '/practice/use/report': paths.practice,
  '/practice/keys/:key': `${paths.practiceAudit}?who=:key`,
  '/practice/fhir': paths.practiceSettings,
  '/organizations/:organization/production-keys': '/organizations/:organization/keys?show=production',
  '/organizations/:organization/activity': '/organizations/:organization/logs',
  '/organizations/:organization/keys/:key/activity.csv':
    '/organizations/:organization/logs.csv?caller=key%3A:key',
  '/organizations/:organization/apps/:client/refusals/:correlation':
    '/organizations/:organization/logs?caller=app%3A:client&call=:correlation',
  '/organizations/:organization/registrations/:registration/file':
    '/organizations/:organization/registrations/:registration',
  '/organizations/:organization/registrations/:registration/form/file':
    '/organizations/:organization/registrations/:registration/form',
  '/organizations/:organization/agreements/:agreement/change/file':
    '/organizations/:organization/agreements/:agreement/change',
  '/practice/agreements/:agreement/change/file': '/practice/agreements/:agreement/change',
  '/organizations/:organization/registrations/new/file': '/organizations/:organization/registrations/new',
  '/organizations/:organization/sandbox/bulk': '/organizations/:organization/sandbox/faults',
  '/organizations/:organization/go-live': '/docs/checklist',
  '/organizations/:organization/go-live.md': '/docs/checklist',
  '/organizations/:organization/sandbox/practice': '/organizations/:organization/sandbox/sign-ins',
  '/organizations/:organization/sandbox/practice/stops': '/organizations/:organization/sandbox/sign-ins',
  '/organizations/:organization/sandbox/practice/audit': '/organizations/:organization/sandbox/sign-ins',
  '/organizations/:organization/sandbox/people/:patient/resources':
    '/organizations/:organization/sandbox/people/:patient',
  '/organizations/:organization/sandbox/people/:patient/ccd':
    '/organizations/:organization/sandbox/people/:patient',
  '/docs/feedback': '/docs',
  '/docs/how-to': '/docs',
  ...Object.fromEntries(Object.entries(movedGuides).map(([from, to]) => [`/docs/${from}`, `/docs/${to}`])),
}

/** @returns the new address of an old one, with its query; null for any other path */
export function findMoved({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string | null {
  for (const [from, to] of Object.entries(moved)) {
    const found = new RegExp(`^${from.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(pathname)
    if (!found) continue
    const [path = '', part] = to
      .replace(/:(\w+)/g, (_, name: string) => found.groups?.[name] ?? '')
      .split('#')
    const query = path.includes('?') ? search.replace('?', '&') : search
    return part === undefined ? path + query : `${path}${query}#${part}`
  }
  return null
}
