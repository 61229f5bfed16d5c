/**
 * The life of a registration: who may move it, from where to where, with what proof, and what that does to its clocks.
 * Requests to change an app, for higher limits or a longer key term walk the same table.
 */
import { defineWorkflow, type Transition } from './workflows.ts'

/** What is asked for; all kinds walk one table. */
export const registrationKinds = {
  app: 'Registration of an app',
  change: 'Change of an enabled app',
  limits: 'Higher limits',
  key_term: 'Longer term of a key',
} as const
export type RegistrationKind = keyof typeof registrationKinds

const members = ['developer', 'admin', 'owner'] as const
const signers = ['admin', 'owner'] as const

/** P: enabled within five business days of a complete request; it waits while the developer has the next step. */
type PromiseEffect = 'start' | 'pause' | 'resume' | 'stop'
/** S (45 CFR 170.404(b)(1)): authenticity within ten business days of receipt, enablement in five more; never waits. */
type RuleEffect = 'start' | 'decide' | 'stop'

export type RegistrationTransition = Transition &
  Readonly<{
    promise?: PromiseEffect
    rule?: RuleEffect
    /** Password and second step, both at most ten minutes old; demonstration sign-ins have no second step. */
    stepUp?: true
  }>

// biome-ignore format: a table reads as a table
const rows = [
  { from: null, event: 'create', actors: members, guard: 'verified address', to: 'draft' },
  { from: 'draft', event: 'save', actors: members, to: 'draft' },
  { from: 'draft', event: 'submit', actors: signers, guard: 'linter clean, terms accepted, attestations', to: 'submitted', promise: 'start', rule: 'start', stepUp: true, mails: ['registration-received'] },
  { from: 'draft', event: 'submit_incomplete', actors: signers, guard: 'the linter finds errors', to: 'draft', rule: 'start', stepUp: true, mails: ['registration-incomplete'] },
  { from: 'draft', event: 'verify_authenticity', actors: ['reviewer'], guard: 'received, evidence recorded', to: 'draft', rule: 'decide', stepUp: true, mails: ['registration-authenticity'] },
  { from: 'draft', event: 'remind', actors: ['system'], guard: 'received, 3 and 7 business days silent', to: 'draft', due: 'developer_reminder', mails: ['registration-reminder'] },
  { from: 'draft', event: 'lapse', actors: ['system'], guard: 'received, 30 days silent', to: 'withdrawn_inactive', due: 'developer_silent', promise: 'stop', rule: 'stop', mails: ['registration-inactive'] },
  { from: 'draft', event: 'withdraw', actors: members, to: 'withdrawn', promise: 'stop', rule: 'stop', mails: ['registration-withdrawn'] },

  { from: 'submitted', event: 'claim', actors: ['reviewer'], guard: 'not the own organization', to: 'in_review' },
  { from: 'submitted', event: 'withdraw', actors: members, to: 'withdrawn', promise: 'stop', rule: 'stop', mails: ['registration-withdrawn'] },

  { from: 'in_review', event: 'claim', actors: ['reviewer'], guard: 'a colleague takes it over', to: 'in_review' },
  { from: 'in_review', event: 'verify_authenticity', actors: ['reviewer'], guard: 'evidence recorded', to: 'in_review', rule: 'decide', stepUp: true, mails: ['registration-authenticity'] },
  { from: 'in_review', event: 'validate_configuration', actors: ['reviewer'], guard: 'every check of the configuration ticked', to: 'in_review', stepUp: true },
  { from: 'in_review', event: 'request_info', actors: ['reviewer'], guard: 'coded items with words', to: 'needs_info', promise: 'pause', stepUp: true, mails: ['registration-needs-info'] },
  { from: 'in_review', event: 'approve', actors: ['reviewer'], guard: 'authenticity verified, configuration valid', to: 'enabling', stepUp: true },
  { from: 'in_review', event: 'propose_rejection', actors: ['reviewer'], guard: 'coded', to: 'in_review', stepUp: true },
  { from: 'in_review', event: 'dismiss_rejection', actors: ['reviewer'], guard: 'a rejection is proposed', to: 'in_review', stepUp: true },
  { from: 'in_review', event: 'reject', actors: ['reviewer'], guard: 'another reviewer proposed it', to: 'rejected', promise: 'stop', rule: 'stop', stepUp: true, mails: ['registration-rejected'] },
  { from: 'in_review', event: 'withdraw', actors: members, to: 'withdrawn', promise: 'stop', rule: 'stop', mails: ['registration-withdrawn'] },

  { from: 'needs_info', event: 'save', actors: members, to: 'needs_info' },
  { from: 'needs_info', event: 'resubmit', actors: members, guard: 'every item answered, linter clean', to: 'resubmitted', promise: 'resume', mails: ['registration-resubmitted'] },
  { from: 'needs_info', event: 'verify_authenticity', actors: ['reviewer'], guard: 'evidence recorded', to: 'needs_info', rule: 'decide', stepUp: true, mails: ['registration-authenticity'] },
  { from: 'needs_info', event: 'remind', actors: ['system'], guard: '3 and 7 business days silent', to: 'needs_info', due: 'developer_reminder', mails: ['registration-reminder'] },
  { from: 'needs_info', event: 'lapse', actors: ['system'], guard: '30 days silent, both reminders sent', to: 'withdrawn_inactive', due: 'developer_silent', promise: 'stop', rule: 'stop', mails: ['registration-inactive'] },
  { from: 'needs_info', event: 'withdraw', actors: members, to: 'withdrawn', promise: 'stop', rule: 'stop', mails: ['registration-withdrawn'] },

  { from: 'resubmitted', event: 'claim', actors: ['reviewer'], guard: 'not the own organization', to: 'in_review' },
  { from: 'resubmitted', event: 'withdraw', actors: members, to: 'withdrawn', promise: 'stop', rule: 'stop', mails: ['registration-withdrawn'] },

  { from: 'enabling', event: 'probe_ok', actors: ['system'], guard: 'the authorization server accepted the app', to: 'enabled', due: 'probe', promise: 'stop', rule: 'stop', mails: ['registration-enabled'] },
  { from: 'enabling', event: 'probe_fail', actors: ['system'], guard: 'every 10 minutes, 5 times', to: 'enabling', mails: ['registration-probe-failed'] },
  { from: 'enabling', event: 'retry', actors: ['ops'], guard: 'reason', to: 'enabling' },
  { from: 'enabling', event: 'withdraw', actors: members, to: 'withdrawn', promise: 'stop', rule: 'stop', mails: ['registration-withdrawn'] },

  { from: 'rejected', event: 'appeal', actors: signers, guard: 'at most 30 days old', to: 'in_review', promise: 'start', mails: ['registration-appealed'] },

  { from: 'enabled', event: 'change', actors: members, guard: 'name, logo, links, contacts', to: 'enabled', mails: ['registration-changed'] },
  { from: 'enabled', event: 'request_change', actors: signers, guard: 'no other change is open', to: 'enabled', stepUp: true, mails: ['registration-received'] },
  { from: 'enabled', event: 'suspend', actors: ['ops'], guard: 'reason and evidence', to: 'suspended', stepUp: true, mails: ['registration-suspended'] },
  { from: 'suspended', event: 'reinstate', actors: ['ops'], guard: 'reason', to: 'enabled', stepUp: true, mails: ['registration-reinstated'] },
  { from: 'suspended', event: 'retire', actors: ['ops'], guard: 'reason', to: 'retired', stepUp: true, mails: ['registration-retired'] },

  { from: 'withdrawn_inactive', event: 'reopen', actors: members, guard: 'within a year', to: 'draft' },
] as const satisfies readonly RegistrationTransition[]

export const registrationWorkflow = defineWorkflow('registration', rows)

export type RegistrationState = (typeof registrationWorkflow)['states'][number]
export type RegistrationEventName = (typeof rows)[number]['event']
/** When something happens by itself, in words; registrations/due.ts has the dates. */
export const registrationDue = {
  developer_reminder: '3 and 7 business days of silence',
  developer_silent: '30 days of silence, both reminders sent',
  probe: 'at once after the approval, then every 10 minutes, 5 times in all',
} as const satisfies Readonly<Record<RegistrationDue, string>>
export type RegistrationDue = Extract<(typeof rows)[number], { due: string }>['due']

export type RegistrationActor = (typeof rows)[number]['actors'][number]

export const registrationEvents = [
  ...new Set(rows.map(({ event }) => event)),
] as readonly RegistrationEventName[]
/** Everybody the portal knows; viewers and visitors may do nothing here. */
export const registrationActors = [
  'visitor',
  'viewer',
  'developer',
  'admin',
  'owner',
  'reviewer',
  'ops',
  'system',
] as const

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
  needs_info: 'Waiting for your answer',
  resubmitted: 'Answered',
  enabling: 'Approved, being enabled',
  enabled: 'Enabled',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  withdrawn_inactive: 'Withdrawn after 30 silent days',
  suspended: 'Suspended',
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

export const registrationTimes = {
  /** Of silence on the developer's side, in business days. */
  reminderBusinessDays: [3, 7],
  silentDaysMax: 30,
  appealDays: 30,
  reopenDays: 365,
  probeAttempts: 5,
  probeEveryMinutes: 10,
  /** Share of a clock that is used up, in percent: then the reviewer, then the other reviewers are told. */
  escalateReviewerPercent: 60,
  escalateReviewersPercent: 80,
} as const
