/** Every address of the portal. What the mails and the server link to stands in server/contract/paths.ts. */
import { index, layout, type RouteConfig, route } from '@remix-run/route-config'

export default [
  index('routes/public.home.tsx'),
  route('directory', 'routes/public.directory.tsx'),
  route('legal/sandbox-terms', 'routes/public.sandbox-terms.tsx'),
  route('registration', 'routes/public.registration.tsx'),
  route('legal/registration-policy', 'routes/public.registration-policy.tsx'),
  route('legal/registration-terms', 'routes/public.registration-terms.tsx'),
  route('trust', 'routes/public.trust.tsx'),
  route('logos/:file', 'routes/public.logo.ts'),
  route('docs/errors', 'routes/docs.errors.tsx'),
  route('docs/errors/:code', 'routes/docs.error.tsx'),
  route('docs/mcp', 'routes/docs.mcp.tsx'),
  route('sandbox-keys', 'routes/public.sandbox-keys.tsx'),
  route('report-a-key', 'routes/public.report-key.tsx'),
  route('theme', 'routes/public.theme.ts'),

  route('sign-up', 'routes/account.sign-up.tsx'),
  route('check-your-mail', 'routes/account.check-your-mail.tsx'),
  route('verify-email', 'routes/account.verify-email.tsx'),
  route('verify-email/again', 'routes/account.verify-email-again.tsx'),
  route('sign-in', 'routes/account.sign-in.tsx'),
  route('sign-out', 'routes/account.sign-out.ts'),
  route('forgot-password', 'routes/account.forgot-password.tsx'),
  route('account/email/confirm', 'routes/account.confirm-email.tsx'),
  route('reset-password', 'routes/account.reset-password.tsx'),
  // One page for every realm; its address says which.
  ...(['', 'staff/', 'practice/'] as const).flatMap((realm) => [
    route(`${realm}confirm-password`, 'routes/account.confirm-password.tsx', {
      id: `${realm}confirm-password`,
    }),
    route(`${realm}second-step`, 'routes/account.second-step.tsx', { id: `${realm}second-step` }),
    route(`${realm}second-step/recovery-codes`, 'routes/account.recovery-codes.tsx', {
      id: `${realm}recovery-codes`,
    }),
  ]),
  route('invitations/accept', 'routes/account.invitation.tsx'),

  ...(['staff', 'practice'] as const).flatMap((realm) => [
    route(`${realm}/second-steps`, 'routes/account.second-steps.tsx', { id: `${realm}/second-steps` }),
    route(`${realm}/second-steps/:account`, 'routes/account.reset-second-step.tsx', {
      id: `${realm}/reset-second-step`,
    }),
  ]),
  route('staff/sign-in', 'routes/review.sign-in.tsx'),
  route('staff', 'routes/review.console.tsx'),
  route('staff/key-requests/:request', 'routes/review.key-request.tsx'),
  route('staff/registrations', 'routes/review.registrations.tsx'),
  route('staff/registrations/:registration', 'routes/review.registration.tsx'),
  route('developers/domains/verify', 'routes/developers.verify-domain.tsx'),
  route('staff/key-limits', 'routes/ops.key-limits.tsx'),
  route('staff/status', 'routes/ops.status.tsx'),
  route('practice/sign-in', 'routes/practice.sign-in.tsx'),
  route('practice', 'routes/practice.console.tsx'),
  route('practice/systems', 'routes/practice.systems.tsx'),
  route('practice/apps', 'routes/practice.apps.tsx'),
  route('practice/exports', 'routes/practice.exports.tsx'),
  route('patient/sign-in', 'routes/patient.sign-in.tsx'),
  route('patient/apps', 'routes/patient.apps.tsx'),

  route('authorize/:request', 'routes/authorize.request.tsx'),

  route('developers', 'routes/developers.entrance.ts', { id: 'developers' }),
  route('developers/keys', 'routes/developers.entrance.ts', { id: 'developers-keys' }),
  route('developers/organizations/new', 'routes/developers.new-organization.tsx'),
  route('developers/keys/claim', 'routes/developers.claim.tsx'),
  route('developers/keys/by-mail', 'routes/developers.key-draft.tsx'),

  layout('routes/developers.account-frame.tsx', [
    route('account', 'routes/account.profile.tsx'),
    route('account/email', 'routes/account.email.tsx'),
    route('account/sessions', 'routes/account.sessions.tsx'),
    route('developers/key-doctor', 'routes/developers.key-doctor.tsx'),
  ]),

  route('organizations/:organization', 'routes/developers.organization.tsx', [
    index('routes/developers.dashboard.tsx'),
    route('keys', 'routes/developers.keys.tsx', [route(':key/revoke', 'routes/developers.revoke-key.tsx')]),
    route('keys/new', 'routes/developers.request-key.tsx'),
    route('keys/:key', 'routes/developers.key-activity.tsx'),
    route('apps', 'routes/developers.apps.tsx'),
    route('apps/:client', 'routes/developers.app-faults.tsx'),
    route('apps/:client/refusals/:correlation', 'routes/developers.app-refusal.tsx'),
    route('registrations/new', 'routes/developers.registration-form.tsx', { id: 'new-registration' }),
    route('registrations/:registration', 'routes/developers.registration.tsx'),
    route('registrations/:registration/form', 'routes/developers.registration-form.tsx'),
    route('registrations/:registration/scopes', 'routes/developers.scope-studio.tsx'),
    route('apps/:client/exports', 'routes/developers.app-exports.tsx'),
    route('apps/:client/secrets', 'routes/developers.app-secrets.tsx'),
    ...(['keys/:key/limits', 'keys/:key/term', 'apps/:client/limits'] as const).map((path) =>
      route(path, 'routes/developers.ask-for-more.tsx', { id: path }),
    ),
    route('keys/:key/rotate', 'routes/developers.rotate-key.tsx'),
    route('keys/:key/networks', 'routes/developers.key-networks.tsx'),
    route('keys/:key/mcp', 'routes/developers.key-mcp.tsx'),
    route('keys/requests/:request', 'routes/developers.answer-review.tsx'),
    route('members', 'routes/developers.members.tsx'),
    route('members/:account/second-step', 'routes/developers.reset-second-step.tsx'),
    route('settings', 'routes/developers.settings.tsx'),
  ]),

  route(
    'organizations/:organization/registrations/:registration/file',
    'routes/developers.registration-file.ts',
  ),
  route('organizations/:organization/keys/:key/live', 'routes/developers.key-live.ts'),
  route('organizations/:organization/keys/:key/activity.csv', 'routes/developers.key-file.ts'),

  route('dev/mail', 'routes/dev.mailbox.tsx'),
  route('dev/mail/:mail', 'routes/dev.mail.tsx'),
  route('dev/emails', 'routes/dev.emails.tsx'),
  route('dev/emails/:template', 'routes/dev.email.tsx'),

  route('*', 'routes/public.not-found.tsx'),
] satisfies RouteConfig
