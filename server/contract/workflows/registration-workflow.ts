/**
 * The life of a registration: who may move it, from where to where, with what proof, and what that does to its clocks.
 * Requests to change an app, for higher limits or a longer key term go through the same table.
 */
import { defineWorkflow, type TableRow, type Transition } from './workflows.ts'

/** What is asked for; all kinds go through one table. */
export const registrationKinds = {
  app: 'App registration',
  change: 'Change to an enabled app',
  limits: 'Higher limits',
  key_term: 'Longer key term',
} as const
export type RegistrationKind = keyof typeof registrationKinds

const members = ['developer', 'admin', 'owner'] as const
const signers = ['admin', 'owner'] as const

/** What must hold before a step. The domain has a function of each name, without which it does not compile. */
export const registrationGuards = {
  may_ask: 'the requester’s address is confirmed',
  form_complete: 'the linter finds no error; the terms in force were accepted',
  made_complete: 'a change of an app or a request for more, which was checked when it was made',
  identity_open: 'it was submitted once, and the organization is not verified yet',
  not_claimed_already: 'the same reviewer has not claimed it',
  all_ticked: 'claimed; every check of the configuration is ticked',
  items_of_kind: 'claimed; every item belongs to a check of such a request',
  ready: 'claimed; organization verified, configuration valid; no rejection proposed',
  no_rejection_proposed: 'claimed; coded; no rejection proposed',
  rejection_proposed: 'a rejection is proposed',
  second_reviewer: 'another reviewer proposed the rejection',
  items_answered: 'every item is answered; the linter finds no error',
  appeal_in_time: 'at most 30 days after the rejection; no other change of the app is open',
  reopen_in_time: 'at most a year after it was withdrawn; no other change of the app is open',
  low_risk:
    'an app; only its description, links to its policies or contacts change; the linter finds no error in them',
  change_possible: 'an app; something changes; no other change of it is open',
  app_registered: 'the request is about an app that is registered in production',
} as const
export type RegistrationGuard = keyof typeof registrationGuards

/** Who gets an email. */
export const registrationRecipients = {
  developers: 'the requester while still a member, otherwise the owners',
  owners: 'the owners of the organization',
  owners_first: 'the owners of the organization; if it has none, the requester',
  practices: 'the admins of every practice at which somebody lets the app in',
  ops_after_last_probe: 'operations, once no further attempt follows',
} as const
export type RegistrationRecipients = keyof typeof registrationRecipients

export type RegistrationClockEffects = Readonly<{
  /**
   * Enabled within five business days of a complete request. It waits while it is the developer's turn; when everything
   * that is asked could have been asked before, it goes on (`pause_if_new`).
   */
  promise?: 'start' | 'pause_if_new' | 'resume' | 'stop'
  /** 45 CFR 170.404(b)(1), for apps: authenticity within ten business days of receipt, enablement in five more; never waits. */
  rule?: 'start' | 'decide' | 'stop'
}>

export type RegistrationTransition = Transition &
  Readonly<{
    guard?: RegistrationGuard
    emails?: Readonly<Record<string, RegistrationRecipients>>
    clock?: RegistrationClockEffects
    /** Password and second step, both at most ten minutes old; demonstration sign-ins have no second step. */
    stepUp?: true
  }>

const stopBoth = { promise: 'stop', rule: 'stop' } as const

// biome-ignore format: a table reads as a table
const rows = [
  { from: null, event: 'create', actors: members, guard: 'may_ask', to: 'draft' },
  { from: 'draft', event: 'save', actors: members, to: 'draft' },
  { from: 'draft', event: 'submit', actors: signers, guard: 'form_complete', to: 'submitted', clock: { promise: 'start', rule: 'start' }, stepUp: true, emails: { 'registration-received': 'developers' } },
  { from: 'draft', event: 'submit_request', actors: signers, guard: 'made_complete', to: 'submitted', audit: 'submit', clock: { promise: 'start' }, emails: { 'registration-received': 'developers' } },
  { from: 'draft', event: 'submit_incomplete', actors: signers, to: 'draft', clock: { rule: 'start' }, stepUp: true, emails: { 'registration-incomplete': 'developers' } },
  { from: 'draft', event: 'verify_authenticity', actors: ['reviewer'], guard: 'identity_open', to: 'draft', clock: { rule: 'decide' }, stepUp: true, emails: { 'registration-authenticity': 'developers' } },
  { from: 'draft', event: 'remind', actors: ['system'], to: 'draft', due: 'developer_reminder', emails: { 'registration-reminder': 'developers' } },
  { from: ['submitted', 'in_review', 'resubmitted'], event: 'claim', actors: ['reviewer'], guard: 'not_claimed_already', to: 'in_review' },
  { from: 'in_review', event: 'verify_authenticity', actors: ['reviewer'], guard: 'identity_open', to: 'in_review', clock: { rule: 'decide' }, stepUp: true, emails: { 'registration-authenticity': 'developers' } },
  { from: 'in_review', event: 'validate_configuration', actors: ['reviewer'], guard: 'all_ticked', to: 'in_review', stepUp: true },
  { from: 'in_review', event: 'request_info', actors: ['reviewer'], guard: 'items_of_kind', to: 'needs_info', clock: { promise: 'pause_if_new' }, stepUp: true, emails: { 'registration-needs-info': 'developers' } },
  { from: 'in_review', event: 'approve', actors: ['reviewer'], guard: 'ready', to: 'enabling', stepUp: true },
  { from: 'in_review', event: 'propose_rejection', actors: ['reviewer'], guard: 'no_rejection_proposed', to: 'in_review', stepUp: true },
  { from: 'in_review', event: 'dismiss_rejection', actors: ['reviewer'], guard: 'rejection_proposed', to: 'in_review', stepUp: true },
  { from: 'in_review', event: 'reject', actors: ['reviewer'], guard: 'second_reviewer', to: 'rejected', clock: stopBoth, stepUp: true, emails: { 'registration-rejected': 'developers' } },

  { from: 'needs_info', event: 'save', actors: members, to: 'needs_info' },
  { from: 'needs_info', event: 'resubmit', actors: members, guard: 'items_answered', to: 'resubmitted', clock: { promise: 'resume' }, emails: { 'registration-resubmitted': 'developers' } },
  { from: 'needs_info', event: 'verify_authenticity', actors: ['reviewer'], guard: 'identity_open', to: 'needs_info', clock: { rule: 'decide' }, stepUp: true, emails: { 'registration-authenticity': 'developers' } },
  { from: 'needs_info', event: 'remind', actors: ['system'], to: 'needs_info', due: 'developer_reminder', emails: { 'registration-reminder': 'developers' } },
  { from: ['draft', 'needs_info'], event: 'lapse', actors: ['system'], to: 'withdrawn_inactive', due: 'developer_silent', clock: stopBoth, emails: { 'registration-inactive': 'developers' } },
  { from: 'enabling', event: 'probe_ok', actors: ['system'], to: 'enabled', due: 'probe', clock: stopBoth, emails: { 'registration-enabled': 'developers' } },
  { from: 'enabling', event: 'probe_fail', actors: ['system'], to: 'enabling', emails: { 'registration-probe-failed': 'ops_after_last_probe' } },
  { from: 'enabling', event: 'retry', actors: ['ops'], to: 'enabling' },
  { from: ['draft', 'submitted', 'in_review', 'needs_info', 'resubmitted', 'enabling'], event: 'withdraw', actors: members, to: 'withdrawn', clock: stopBoth, emails: { 'registration-withdrawn': 'developers' } },
  { from: 'rejected', event: 'appeal', actors: signers, guard: 'appeal_in_time', to: 'in_review', clock: { promise: 'start' }, emails: { 'registration-appealed': 'developers' } },
  { from: 'enabled', event: 'change', actors: members, guard: 'low_risk', to: 'enabled', emails: { 'registration-changed': 'developers' } },
  { from: 'enabled', event: 'request_change', actors: signers, guard: 'change_possible', to: 'enabled', stepUp: true },
  { from: 'enabled', event: 'suspend', actors: ['ops'], guard: 'app_registered', to: 'suspended', stepUp: true, emails: { 'registration-suspended': 'owners', 'registration-suspended-practice': 'practices' } },

  { from: 'suspended', event: 'reinstate', actors: ['ops'], guard: 'app_registered', to: 'enabled', stepUp: true, emails: { 'registration-reinstated': 'owners' } },
  { from: 'suspended', event: 'retire', actors: ['ops'], guard: 'app_registered', to: 'retired', stepUp: true, emails: { 'registration-retired': 'owners_first' } },
  { from: 'withdrawn_inactive', event: 'reopen', actors: members, guard: 'reopen_in_time', to: 'draft' },
] as const satisfies readonly TableRow<RegistrationTransition>[]

export const registrationWorkflow = defineWorkflow('registration', rows)

export type RegistrationState = (typeof registrationWorkflow)['states'][number]
export type RegistrationEventName = (typeof rows)[number]['event']
/** What happens by itself; registrations/due.ts says when. */
export type RegistrationDue = Extract<(typeof rows)[number], { due: string }>['due']

export const registrationEvents = [
  ...new Set(rows.map(({ event }) => event)),
] as readonly RegistrationEventName[]
/** Whose turn it is, in each state. */
export const waitingOn: Readonly<Record<RegistrationState, 'developer' | 'us' | 'nobody'>> = {
  draft: 'developer',
  submitted: 'us',
  in_review: 'us',
  needs_info: 'developer',
  resubmitted: 'us',
  enabling: 'us',
  enabled: 'nobody',
  rejected: 'nobody',
  withdrawn: 'nobody',
  withdrawn_inactive: 'nobody',
  suspended: 'nobody',
  retired: 'nobody',
}

/** The states as people read them. */
export const stateNames: Readonly<Record<RegistrationState, string>> = {
  draft: 'Draft',
  submitted: 'Submitted',
  in_review: 'In review',
  needs_info: 'Waiting for answers',
  resubmitted: 'Answered',
  enabling: 'Approved, being enabled',
  enabled: 'Enabled',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  withdrawn_inactive: 'Withdrawn after 30 days without an answer',
  suspended: 'Stopped',
  retired: 'Retired',
}

/** What waits for a reviewer. */
export const queueStates: readonly RegistrationState[] = ['submitted', 'resubmitted', 'in_review']
/** Not ended, not served. */
export const openStates: readonly RegistrationState[] = [
  'draft',
  'submitted',
  'in_review',
  'needs_info',
  'resubmitted',
  'enabling',
]

/** Business days of each clock: what we promise from a complete request on, and what 45 CFR 170.404 gives us. */
export const clockDays = {
  /** For the decision and the enabled app. Paused while the developer must answer. */
  promise: 5,
  /** From the receipt, for verifying the organization. Never paused. */
  authenticity: 10,
  /** From that decision on, for the enabled app. Never paused. */
  enablement: 5,
} as const

export const registrationTimes = {
  /** Of silence on the developer's side, in business days. */
  reminderBusinessDays: [3, 7],
  silentDaysMax: 30,
  appealDays: 30,
  reopenDays: 365,
  probeAttempts: 5,
  probeEveryMinutes: 10,
  /** Share of a clock that is used up, in percent: then the reviewer, then the other reviewers are notified. */
  escalateReviewerPercent: 60,
  escalateReviewersPercent: 80,
} as const
