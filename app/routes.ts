/** Every URL of the portal. server/contract/portal/paths.ts has those that emails and the server link to. */
import { index, layout, type RouteConfig, route } from '@remix-run/route-config'
import { guides } from './shared/guides/list.ts'

export default [
  index('public/home/home.route.tsx'),
  route('directory', 'public/directory.route.tsx'),
  route('registration', 'public/registration.route.tsx'),
  route('legal', 'public/legal/legal.route.tsx'),
  ...['sandbox-terms', 'registration-policy', 'registration-terms', 'templates/:template'].map((path) =>
    shared(`legal/${path}`, 'public/legal/legal-text.route.tsx'),
  ),
  route('legal/templates/:template/document.pdf', 'public/legal/template-file.route.ts'),
  route('verify', 'public/verify.route.tsx'),
  route('logos/:file', 'public/logo.route.ts'),

  route('status', 'status/now.route.tsx'),
  route('status/history', 'status/history.route.tsx'),
  route('status/incidents/:incident', 'status/incident.route.tsx'),
  ...['status.md', 'status/feed.xml', 'status/feed.json', 'status/badge.svg'].map((path) =>
    route(path, 'status/feeds/feeds.route.ts', { id: path }),
  ),
  route('status/subscribe', 'status/subscriptions/subscribe.route.tsx'),
  route('status/subscription', 'status/subscriptions/subscription.route.tsx'),
  route('status/subscription/confirm', 'status/subscriptions/confirm.route.tsx'),

  route('docs', 'docs/frame.route.tsx', { id: 'docs-frame' }, [
    index('docs/index.route.tsx'),
    ...guides.map(({ slug }) => route(slug, 'docs/guides/guide.route.tsx', { id: `guide-${slug}` })),
    route('errors/:code', 'docs/error.route.tsx'),
    route('reference', 'docs/reference/index.route.tsx'),
    route('reference/*', 'docs/reference/page.route.tsx'),
    route('changelog', 'docs/changelog.route.tsx'),
    route('search', 'docs/search.route.tsx'),
    noSuchPage('docs'),
  ]),
  ...[
    'docs.md',
    'docs/:page.md',
    'docs/how-to/:page.md',
    'docs/errors/:code.md',
    'docs/reference/:page.md',
    'docs/reference/:part/:page.md',
    'docs/changelog.xml',
    'docs/search-index.json',
    'llms.txt',
    'llms-full.txt',
  ].map((path) => shared(path, 'docs/texts.route.ts')),
  route('docs/mcp-source', 'docs/mcp-source.route.ts'),

  layout('explorer/frame.route.tsx', [
    ...['explorer', 'explorer/rest/:operation'].map((path) =>
      route(path, 'explorer/rest/rest.route.tsx', { id: path }),
    ),
    route('explorer/fhir', 'explorer/fhir/fhir.route.tsx'),
    route('explorer/mcp', 'explorer/mcp/mcp.route.tsx'),
  ]),
  route('explorer/call', 'explorer/calls/call.route.ts'),

  route('launch', 'public/launch/form.route.tsx'),
  route('launch/open', 'public/launch/link.route.tsx'),
  route('launch/log', 'public/launch/logs.route.tsx'),
  route('launch/log/:launch', 'public/launch/log.route.tsx'),
  route('sandbox-keys', 'public/sandbox-keys.route.tsx'),
  route('report-a-key', 'public/report-key.route.tsx'),
  route('theme', 'public/theme.route.ts'),

  route('sign-up', 'account/sign-up/sign-up.route.tsx'),
  route('check-your-mail', 'account/sign-up/check-your-mail.route.tsx'),
  route('verify-email', 'account/sign-up/verify-email.route.tsx'),
  route('verify-email/again', 'account/password/send-link.route.tsx', { id: 'verify-email-again' }),
  ...['sign-in', 'staff/sign-in', 'practice/sign-in', 'patient/sign-in'].map((path) =>
    shared(path, 'account/sign-in/sign-in.route.tsx'),
  ),
  route('sign-out', 'account/sign-in/sign-out.route.ts'),
  route('forgot-password', 'account/password/send-link.route.tsx'),
  route('account/email/confirm', 'account/profile/confirm-email.route.tsx'),
  route('reset-password', 'account/password/reset-password.route.tsx'),
  ...(['', 'staff', 'practice'] as const).flatMap(proofPages),
  route('invitations/accept', 'account/invitation.route.tsx'),

  layout('review/frame.route.tsx', [
    noSuchPage('staff', 'staff/*'),
    ...realmPages('staff', 'staff/own-sessions'),
    route('staff/key-requests/:request', 'review/key-request.route.tsx'),
    route('staff/production-keys/:request', 'review/production-keys/production-key.route.tsx'),
    route('staff/registrations', 'review/queue/queue.route.tsx'),
    route('staff/registrations/:registration', 'review/registrations/registration.route.tsx'),
    route('staff/second-steps', 'account/second-step/second-steps.route.tsx'),
    route('staff/key-limits', 'ops/key-limits.route.tsx'),
    route('staff/incidents', 'ops/status/incidents.route.tsx'),
    route('staff/incidents/:incident', 'ops/status/incident.route.tsx'),
    route('staff/jobs', 'ops/jobs.route.tsx'),
    route('staff/mail', 'ops/mail.route.tsx'),
    route('staff/people', 'ops/people.route.tsx'),
    route('staff/practices', 'ops/practices/practices.route.tsx'),
    route('staff/practices/:practice', 'ops/practices/practice.route.tsx'),
    route('staff/credentials', 'ops/credentials.route.tsx'),
    route('staff/audit', 'ops/audit/audit.route.tsx'),
    route('staff/agreements', 'ops/agreements/agreements.route.tsx'),
  ]),
  route('staff/audit.csv', 'ops/audit/audit-file.route.ts'),

  route('practice/invitations/accept', 'practice/invitation.route.tsx'),
  layout('practice/frame.route.tsx', [
    noSuchPage('practice', 'practice/*'),
    route('practice', 'practice/access/access.route.tsx'),
    route('practice/keys/:key/access', 'practice/access/key-access.route.tsx'),
    route('practice/use/:kind/:subject', 'practice/use/use-of.route.tsx'),
    route('practice/alerts', 'practice/use/alerts.route.tsx'),
    route('practice/alerts/settings', 'practice/use/alert-settings.route.tsx'),
    route('practice/exports', 'practice/access/exports.route.tsx'),
    route('practice/withheld', 'practice/access/withheld.route.tsx'),
    ...realmPages('practice', 'practice/sessions'),
    route('practice/requests', 'practice/requests/requests.route.tsx'),
    route('practice/sponsorships/:request', 'practice/requests/sponsorship.route.tsx'),
    route('practice/systems', 'practice/requests/systems.route.tsx'),
    route('practice/agreements', 'practice/agreements.route.tsx'),
    ...agreementPages('practice/agreements/:agreement'),
    route('practice/audit', 'practice/audit/audit.route.tsx'),
    route('practice/disclosures', 'practice/audit/disclosures.route.tsx'),
    route('practice/staff', 'practice/staff/staff.route.tsx'),
    route('practice/settings', 'practice/settings.route.tsx'),
    shared('practice/apps', 'account/allowed-apps.route.tsx'),
  ]),
  ...['access.csv', 'audit.csv', 'disclosures/file'].map((path) =>
    shared(`practice/${path}`, 'practice/files.route.ts'),
  ),

  layout('patient/frame.route.tsx', [
    shared('patient/apps', 'account/allowed-apps.route.tsx'),
    route('patient/access', 'patient/access/access.route.tsx'),
    shared('patient/sessions', 'account/profile/sessions.route.tsx'),
  ]),

  route('authorize/:request', 'authorize/request.route.tsx'),

  route('developers', 'developers/entrance.route.ts', { id: 'developers' }),
  route('developers/keys', 'developers/entrance.route.ts', { id: 'developers-keys' }),
  route('developers/domains/verify', 'developers/settings/verify-domain.route.tsx'),
  route('developers/organizations/new', 'developers/organization/new-organization.route.tsx'),
  route('developers/keys/claim', 'developers/keys/claim.route.tsx'),
  route('developers/production-keys/claim', 'developers/keys/claim.route.tsx', {
    id: 'claim-production-key',
  }),
  route('developers/keys/by-mail', 'developers/keys/key-draft.route.tsx'),

  layout('developers/account-frame.route.tsx', [
    ...realmPages('', 'account/sessions'),
    route('find', 'developers/find.route.tsx'),
    route('account', 'account/profile/profile.route.tsx'),
    route('account/email', 'account/profile/email.route.tsx'),
  ]),

  route('organizations/:organization', 'developers/organization/organization.route.tsx', [
    noSuchPage('organization'),
    index('developers/home.route.tsx'),
    route('keys', 'developers/keys/keys.route.tsx', [
      route(':key/revoke', 'developers/keys/revoke-key.route.tsx'),
    ]),
    route('logs', 'developers/logs/logs.route.tsx'),
    route('keys/new', 'developers/keys/request-key.route.tsx'),
    route('keys/:key', 'developers/keys/key.route.tsx'),
    route('production-keys/new', 'developers/production-keys/production-form.route.tsx', {
      id: 'new-production-key',
    }),
    route('production-keys/:productionKey', 'developers/production-keys/production-key.route.tsx'),
    route('production-keys/:productionKey/form', 'developers/production-keys/production-form.route.tsx'),
    route('security-profile', 'developers/settings/security-profile.route.tsx'),
    route('sandbox/faults', 'developers/lab/faults.route.tsx'),
    route('sandbox/launch', 'developers/lab/launch.route.tsx'),
    route('sandbox/launch/:launch', 'developers/lab/launch-log.route.tsx'),
    route('sandbox/inferno', 'developers/lab/inferno.route.tsx'),
    route('apps', 'developers/apps/apps.route.tsx'),
    route('apps/samples', 'developers/apps/sample-apps.route.tsx'),
    route('apps/:client', 'developers/apps/app.route.tsx'),
    route('registrations/new', 'developers/registrations/new-app.route.tsx'),
    route('registrations/:registration', 'developers/registrations/registration.route.tsx'),
    route('registrations/:registration/form', 'developers/registrations/registration-form.route.tsx'),
    route('registrations/:registration/scopes', 'developers/registrations/scope-studio.route.tsx'),
    route('apps/:client/exports', 'developers/apps/app-exports.route.tsx'),
    route('apps/:client/secrets', 'developers/apps/app-secrets.route.tsx'),
    route('apps/:client/token', 'developers/apps/get-token.route.tsx'),
    ...(['keys/:key/limits', 'keys/:key/term', 'apps/:client/limits'] as const).map((path) =>
      route(path, 'developers/keys/request-more.route.tsx', { id: path }),
    ),
    route('keys/:key/rotate', 'developers/keys/rotate-key.route.tsx'),
    route('keys/:key/networks', 'developers/keys/key-networks.route.tsx'),
    route('keys/:key/mcp', 'developers/keys/key-mcp.route.tsx'),
    route('keys/requests/:request', 'developers/keys/answer-review.route.tsx'),
    route('agreements', 'developers/agreements.route.tsx'),
    ...agreementPages('agreements/:agreement'),
    route('sandbox', 'developers/sandbox/sandbox.route.tsx'),
    route('sandbox/sign-ins', 'developers/sandbox/sign-ins.route.tsx'),
    route('sandbox/people', 'developers/sandbox/sandbox-people.route.tsx'),
    route('sandbox/people/:patient', 'developers/sandbox/sandbox-person.route.tsx'),
    route('members', 'developers/members/members.route.tsx'),
    shared('members/:account/second-step', 'account/second-step/reset-second-step.route.tsx'),
    route('settings', 'developers/settings/settings.route.tsx'),
  ]),

  route(
    'organizations/:organization/registrations/lint',
    'developers/registrations/registration-lint.route.ts',
  ),
  ...['practice', 'organizations/:organization'].map((side) =>
    shared(`${side}/agreements/:agreement/files/:file`, 'agreements/agreement-file.route.ts'),
  ),
  route('organizations/:organization/logs/live', 'developers/logs/live-log.route.ts'),
  ...['sandbox/inferno/:preset', 'logs.csv'].map((path) =>
    shared(`organizations/:organization/${path}`, 'developers/files.route.ts'),
  ),

  route('tour', 'dev/tour.route.tsx'),
  route('dev/mail', 'dev/mailbox.route.tsx'),
  route('dev/mail/:mail', 'dev/email.route.tsx'),

  route('*', 'public/not-found.route.tsx'),
] satisfies RouteConfig

/** Below a frame, so a wrong URL shows the navigation of the person who is signed in. */
function noSuchPage(area: string, path = '*') {
  return route(path, 'public/not-found.route.tsx', { id: `no-page-of-${area}` })
}

/** The same page in every realm. The URL says which realm. */
function shared(path: string, file: string) {
  return route(path, file, { id: path })
}

function proofPages(realm: '' | 'staff' | 'practice') {
  const base = realm && `${realm}/`
  return [
    shared(`${base}confirm-password`, 'account/password/confirm-password.route.tsx'),
    shared(`${base}second-step`, 'account/second-step/second-step.route.tsx'),
    shared(`${base}second-step/recovery-codes`, 'account/second-step/recovery-codes.route.tsx'),
  ]
}

/** The pages about the signed-in person, inside the realm's frame; those of two-step sign-in are for admins. */
function realmPages(realm: '' | 'staff' | 'practice', sessions: string) {
  const base = realm && `${realm}/`
  return [
    shared(`${base}inbox`, 'account/inbox.route.tsx'),
    shared(sessions, 'account/profile/sessions.route.tsx'),
    ...(realm === ''
      ? []
      : [shared(`${base}second-steps/:account`, 'account/second-step/reset-second-step.route.tsx')]),
  ]
}

/** An agreement has the same pages for both of its sides. */
function agreementPages(path: string) {
  return [
    shared(path, 'agreements/agreement.route.tsx'),
    shared(`${path}/change`, 'agreements/change-agreement.route.tsx'),
    shared(`${path}/compare`, 'agreements/compare-agreement.route.tsx'),
  ]
}
