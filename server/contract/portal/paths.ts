/**
 * The portal's addresses that something outside its routes must know: mails link to them, the
 * server guards some of them. `app/routes.ts` mounts the pages; a test holds the two together.
 * Every function gives a path; the absolute URL is PUBLIC_ORIGIN + path.
 */

/** Pages that the links in emails open. */
export const linkPaths = new Set<string>()

/** In the fragment: browsers send it to no one, so no log, proxy or `Referer` has the token. */
function linkTo(path: string): (token: string) => string {
  linkPaths.add(path)
  return (token) => `${path}#token=${token}`
}

/** Also of links in emails sent while the token was in the query. */
export const tokenInLink = (link: string): string | undefined => /[#?&]token=([\w-]{1,200})/.exec(link)?.[1]

/** A path whose values are percent-encoded. */
const at = (path: TemplateStringsArray, ...values: readonly string[]) =>
  String.raw({ raw: path }, ...values.map(encodeURIComponent))

export const paths = {
  home: '/',
  signIn: '/sign-in',
  signUp: '/sign-up',
  forgotPassword: '/forgot-password',
  account: '/account',
  changeEmail: '/account/email',
  sessions: '/account/sessions',
  /** Sends on to the visitor's current organization. */
  developers: '/developers',
  keys: '/developers/keys',
  /** The inbox of each realm. */
  inbox: '/inbox',
  practiceInbox: '/practice/inbox',
  staffInbox: '/staff/inbox',
  newOrganization: '/developers/organizations/new',
  /** Practices that apps can reach, for people; `/r4/endpoints` is the same for programs. */
  directory: '/directory',
  /** How a sandbox key is issued, and how long it takes. */
  sandboxKeys: '/sandbox-keys',
  reportKey: '/report-a-key',
  /** Every interface, to be tried without a key. */
  explorer: '/explorer',
  explorerOperation: (operationId: string) => at`/explorer/rest/${operationId}`,
  explorerFhir: '/explorer/fhir',
  explorerMcp: '/explorer/mcp',
  /** How AI assistants are connected. */
  mcpGuide: '/docs/mcp',
  reference: '/docs/reference',
  /** The policy of versions and deprecation. */
  versioning: '/docs/versioning',
  operationReference: (operationId: string) => at`/docs/reference/rest/${operationId}`,
  typeReference: (type: string) => at`/docs/reference/fhir/${type}`,
  /** Launches without an account: the form, the page of a link, and the logs of this browser's launches. */
  openLaunch: '/launch',
  openLaunchLink: '/launch/open',
  openLaunchLogs: '/launch/log',
  openLaunchLog: (id: string) => at`/launch/log/${id}`,
  /** Of a demonstration on the reader's own machine: four people to sign in as, and what to look at. */
  tour: '/tour',
  /** Sends on to the page of a key, an app or a request, by its identifier. */
  find: (text: string) => `/find?${new URLSearchParams({ id: text })}`,
  keyLimits: '/staff/key-limits',
  resetMfa: (accountId: string) => at`/staff/second-steps/${accountId}`,
  staffIncidents: '/staff/incidents',
  staffIncident: (id: string) => at`/staff/incidents/${id}`,
  /** The public status page, and what hangs below it. */
  status: '/status',
  statusHistory: '/status/history',
  statusIncident: (id: string) => at`/status/incidents/${id}`,
  statusMarkdown: '/status.md',
  statusRss: '/status/feed.xml',
  statusJson: '/status/feed.json',
  statusBadge: '/status/badge.svg',
  subscribeToStatus: '/status/subscribe',
  /** The console of operations. */
  staffJobs: '/staff/jobs',
  staffMail: '/staff/mail',
  staffOwnSessions: '/staff/own-sessions',
  staffPeople: '/staff/people',
  staffPractices: '/staff/practices',
  staffPractice: (slug: string) => at`/staff/practices/${slug}`,
  staffCredentials: '/staff/credentials',
  staffAudit: '/staff/audit',
  staffAuditFile: '/staff/audit.csv',
  keyReview: (requestId: string) => at`/staff/key-requests/${requestId}`,
  confirmPassword: '/confirm-password',
  /** The second step of a sign-in or of step-up, or its set-up. */
  mfa: '/second-step',
  /** New recovery codes in place of the old ones. */
  recoveryCodes: '/second-step/recovery-codes',
  staffConfirmPassword: '/staff/confirm-password',
  /** Requests that wait for a reviewer. */
  reviewQueue: '/staff/registrations',
  reviewRegistration: (id: string) => at`/staff/registrations/${id}`,
  sandboxTerms: '/legal/sandbox-terms',
  /** What a registration accepts, and the policy we hold ourselves to. */
  registrationPolicy: '/legal/registration-policy',
  registrationTerms: '/legal/registration-terms',
  /** Exactly what we check, with live figures of the service. */
  registrationChecks: '/registration',
  /** The templates of agreements, and their PDFs: `/legal/templates/baa.pdf`. */
  legal: '/legal',
  legalTemplate: (name: string) => at`/legal/templates/${name}`,
  /** Whether a file is an executed document, by its SHA-256. */
  verifyDocument: '/verify',
  staffAgreements: '/staff/agreements',
  practiceAgreements: '/practice/agreements',
  practiceAgreement: (id: string) => at`/practice/agreements/${id}`,
  agreements: (slug: string) => at`/organizations/${slug}/agreements`,
  agreement: (slug: string, id: string) => at`/organizations/${slug}/agreements/${id}`,
  trust: '/docs/security#certification-and-reviews',
  /** An uploaded picture, by the hash of its bytes: it never changes. */
  logo: (hash: string) => `/logos/${hash}.png`,
  staffSignIn: '/staff/sign-in',
  staffMfa: '/staff/second-step',
  staffRecoveryCodes: '/staff/second-step/recovery-codes',
  /** Second steps of staff, and of people whom operations look up. */
  staffMfaList: '/staff/second-steps',
  /** Who has access to the practice's records. */
  practice: '/practice',
  /** The same as a file. */
  practiceAccessFile: '/practice/access.csv',
  /** Requests for keys that wait for an answer of the practice. */
  practiceRequests: '/practice/requests',
  practiceSignIn: '/practice/sign-in',
  practiceConfirmPassword: '/practice/confirm-password',
  practiceMfa: '/practice/second-step',
  practiceRecoveryCodes: '/practice/second-step/recovery-codes',
  /** The second steps of the people of a practice, for its admins. */
  resetPracticeMfa: (accountId: string) => at`/practice/second-steps/${accountId}`,
  reviewProductionKey: (id: string) => at`/staff/production-keys/${id}`,
  /** A request to vouch for developers, and the key that came of it. */
  practiceSponsorship: (id: string) => at`/practice/sponsorships/${id}`,
  /** What a key can read, for the practice's admins. */
  practiceRecordOf: (keyId: string) => `/practice/audit?${new URLSearchParams({ who: keyId })}`,
  practiceKeyAccess: (id: string) => at`/practice/keys/${id}/access`,
  /** How keys and apps are used, and a report of it. */
  practiceUseOf: (kind: string, id: string) => at`/practice/use/${kind}/${id}`,
  /** Alerts about unusual use of keys and apps, and their settings. */
  practiceAlerts: '/practice/alerts',
  practiceAlertSettings: '/practice/alerts/settings',
  /** Patients whom the practice withholds from keys and apps. */
  practiceWithheld: '/practice/withheld',
  practiceAudit: '/practice/audit',
  /** A patient’s accounting of disclosures, 45 CFR 164.528. */
  practiceDisclosures: '/practice/disclosures',
  practiceDisclosuresFile: '/practice/disclosures/file',
  practiceStaff: '/practice/staff',
  practiceSettings: '/practice/settings',
  /** Apps that the signed-in person of a practice allowed. */
  practiceApps: '/practice/apps',
  practiceSessions: '/practice/sessions',
  /** Backend systems that want, or have, the practice's data. */
  practiceSystems: '/practice/systems',
  /** Bulk exports of the practice's data. */
  practiceExports: '/practice/exports',
  patientSignIn: '/patient/sign-in',
  /** Apps that a patient, or who stands for one, allowed. */
  patientApps: '/patient/apps',
  /** Who read a patient's records, for the patient. */
  patientAccess: '/patient/access',
  patientSessions: '/patient/sessions',
  mailbox: '/dev/mail',

  /** Single-use links of mails: GET shows a page, only its POST consumes the token. */
  verifyEmail: linkTo('/verify-email'),
  confirmEmail: linkTo('/account/email/confirm'),
  resetPassword: linkTo('/reset-password'),
  acceptInvitation: linkTo('/invitations/accept'),
  confirmDraft: linkTo('/developers/keys/by-mail'),
  claimKey: linkTo('/developers/keys/claim'),
  claimProductionKey: linkTo('/developers/production-keys/claim'),
  acceptPracticeInvitation: linkTo('/practice/invitations/accept'),
  confirmSubscription: linkTo('/status/subscription/confirm'),
  /** Stands in every mail of a subscription, and lives as long as it does. */
  statusSubscription: linkTo('/status/subscription'),
  verifyDomain: linkTo('/developers/domains/verify'),

  /** A checked authorize request, waiting for a person. */
  authorize: (id: string) => at`/authorize/${id}`,

  organization: (slug: string) => at`/organizations/${slug}`,
  /** Calls of keys and apps: all of them, or those that the query asks for. */
  logs: (slug: string, query: string | Record<string, string> = '') => {
    const parameters = new URLSearchParams(query)
    return `${at`/organizations/${slug}/logs`}${parameters.size > 0 ? `?${parameters}` : ''}`
  },
  organizationKeys: (slug: string) => at`/organizations/${slug}/keys`,
  keyRequest: (slug: string, id: string) => at`/organizations/${slug}/keys/requests/${id}`,
  claimKeyRequest: (id: string) => `/developers/keys/claim?${new URLSearchParams({ request: id })}`,
  organizationMembers: (slug: string) => at`/organizations/${slug}/members`,
  resetMemberMfa: (slug: string, accountId: string) =>
    at`/organizations/${slug}/members/${accountId}/second-step`,
  /** Where the sandbox is made to misbehave, to launch apps, and to export. */
  lab: (slug: string) => {
    const base = at`/organizations/${slug}/sandbox`
    return { faults: `${base}/faults`, launch: `${base}/launch`, inferno: `${base}/inferno` }
  },
  /** The file that Inferno reads, of one of its test kits. */
  infernoPreset: (slug: string, kit: string) => at`/organizations/${slug}/sandbox/inferno/${kit}.json`,
  organizationApps: (slug: string) => at`/organizations/${slug}/apps`,
  productionKey: (slug: string, id: string) => at`/organizations/${slug}/production-keys/${id}`,
  productionKeyForm: (slug: string, id: string) => at`/organizations/${slug}/production-keys/${id}/form`,
  newProductionKey: (slug: string) => at`/organizations/${slug}/production-keys/new`,
  securityProfile: (slug: string) => at`/organizations/${slug}/security-profile`,
  newRegistration: (slug: string) => at`/organizations/${slug}/registrations/new`,
  /** Checks a registration while a person types. */
  registrationLint: (slug: string) => at`/organizations/${slug}/registrations/lint`,
  registration: (slug: string, id: string) => at`/organizations/${slug}/registrations/${id}`,
  registrationForm: (slug: string, id: string) => at`/organizations/${slug}/registrations/${id}/form`,
  scopeStudio: (slug: string, id: string) => at`/organizations/${slug}/registrations/${id}/scopes`,
  /** The apps in `examples/`, registered by a button. */
  sampleApps: (slug: string) => at`/organizations/${slug}/apps/samples`,
  /** An app's overview, and the Assertion Doctor. */
  app: (slug: string, clientId: string) => at`/organizations/${slug}/apps/${clientId}`,
  /** Bulk exports that a backend app asked for. */
  appExports: (slug: string, clientId: string) => at`/organizations/${slug}/apps/${clientId}/exports`,
  /** Secrets of a confidential app. */
  appSecrets: (slug: string, clientId: string) => at`/organizations/${slug}/apps/${clientId}/secrets`,
  /** An access token for a first call, and the code that gets one. */
  appToken: (slug: string, clientId: string) => at`/organizations/${slug}/apps/${clientId}/token`,
  organizationKey: (slug: string, keyId: string) => at`/organizations/${slug}/keys/${keyId}`,
  /** The organization's sandbox practice: its data as a whole, its people, its labs. */
  sandbox: (slug: string) => at`/organizations/${slug}/sandbox`,
  sandboxPeople: (slug: string) => at`/organizations/${slug}/sandbox/people`,
  sandboxPerson: (slug: string, patientId: string) => at`/organizations/${slug}/sandbox/people/${patientId}`,
  /** The standing people of the sandbox, with their password. */
  sandboxSignIns: (slug: string) => at`/organizations/${slug}/sandbox/sign-ins`,
} as const
