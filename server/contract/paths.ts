/**
 * The portal's addresses that something outside its routes must know: mails link to them, the
 * server guards some of them. `app/routes.ts` mounts the pages; a test holds the two together.
 * Every function gives a path; the absolute URL is PUBLIC_ORIGIN + path.
 */

const withToken = (path: string, token: string) => `${path}?token=${encodeURIComponent(token)}`

export const paths = {
  home: '/',
  signIn: '/sign-in',
  signUp: '/sign-up',
  forgotPassword: '/forgot-password',
  account: '/account',
  sessions: '/account/sessions',
  /** Sends on to the visitor's current organization. */
  developers: '/developers',
  keys: '/developers/keys',
  newOrganization: '/developers/organizations/new',
  /** How a sandbox key is issued, and how long it takes. */
  sandboxKeys: '/sandbox-keys',
  reportKey: '/report-a-key',
  keyDoctor: '/developers/key-doctor',
  staff: '/staff',
  keyLimits: '/staff/key-limits',
  keyReview: (requestId: string) => `/staff/key-requests/${encodeURIComponent(requestId)}`,
  sandboxTerms: '/legal/sandbox-terms',
  staffSignIn: '/staff/sign-in',
  practiceSignIn: '/practice/sign-in',
  mailbox: '/dev/mail',

  /** Single-use links of mails: GET shows a page, only its POST consumes the token. */
  verifyEmail: (token: string) => withToken('/verify-email', token),
  resetPassword: (token: string) => withToken('/reset-password', token),
  acceptInvitation: (token: string) => withToken('/invitations/accept', token),
  confirmDraft: (token: string) => withToken('/developers/keys/by-mail', token),
  claimKey: (token: string) => withToken('/developers/keys/claim', token),

  organization: (slug: string) => `/organizations/${encodeURIComponent(slug)}`,
  organizationKeys: (slug: string) => `/organizations/${encodeURIComponent(slug)}/keys`,
  organizationMembers: (slug: string) => `/organizations/${encodeURIComponent(slug)}/members`,
  keyActivity: (slug: string, keyId: string) =>
    `/organizations/${encodeURIComponent(slug)}/keys/${encodeURIComponent(keyId)}`,
} as const

/** Query parameters that hold a single-use token and so must never be written to a log. */
export const secretQueryParameters = ['token'] as const
