/**
 * The life of a production key's request (workflows §4): who may move it, from where to where, with what proof, and
 * what that does to the review's clock. What happens to the key later walks the same table.
 */
import { defineWorkflow, type Transition } from './workflows.ts'

/** Who starts and holds production access on the developers' side. */
const holders = ['admin', 'owner'] as const
/** An admin of the practice that vouches. */
const sponsor = ['sponsor'] as const
/** The documents' own steps: told by the agreements, in the transaction that changes them. */
const documents = ['documents'] as const

export type ProductionKeyTransition = Transition &
  Readonly<{
    /** Five business days for the review; waits while the developer holds the ball. */
    clock?: 'start' | 'pause' | 'resume' | 'stop'
    /** Proof that the person is there now: the one step-up of the portal. */
    stepUp?: true
  }>

// biome-ignore format: a table reads as a table
const rows = [
  { from: null, event: 'create', actors: holders, guard: 'a domain of the organization is verified', to: 'draft' },
  { from: null, event: 'renew', actors: holders, guard: 'in the last 30 days of the key, or 30 after', to: 'renewal_invited', mails: ['production-renewal-asked'] },

  { from: 'draft', event: 'save', actors: holders, to: 'draft' },
  { from: 'draft', event: 'submit', actors: holders, guard: 'practice found and not suspended, with an admin on file; security profile complete; signatory is an owner', to: 'sponsor_invited', mails: ['production-received', 'sponsor-invited'] },
  { from: 'draft', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },

  { from: 'sponsor_invited', event: 'confirm', actors: sponsor, guard: 'names the signatory of the BAA', to: 'sponsor_confirmed', stepUp: true, mails: ['sponsor-confirmed'] },
  { from: 'sponsor_invited', event: 'decline', actors: sponsor, guard: 'reason', to: 'sponsor_declined', mails: ['sponsor-declined'] },
  { from: 'sponsor_invited', event: 'not_us', actors: ['sponsor', 'signatory'], guard: 'the practice does not know of it', to: 'security_hold', mails: ['production-security-hold'] },
  { from: 'sponsor_invited', event: 'remind', actors: ['system'], guard: 'days 3, 7 and 12', to: 'sponsor_invited', due: 'sponsor_reminder', mails: ['sponsor-reminder'] },
  { from: 'sponsor_invited', event: 'lapse', actors: ['system'], guard: '14 days', to: 'sponsor_expired', due: 'sponsor_silent', mails: ['sponsor-expired'] },
  { from: 'sponsor_invited', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },

  { from: 'sponsor_expired', event: 'reinvite', actors: holders, guard: 'at most 2', to: 'sponsor_invited', mails: ['sponsor-invited'] },
  { from: 'sponsor_expired', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },

  { from: 'security_hold', event: 'release', actors: ['ops'], guard: 'reason', to: 'draft', stepUp: true, mails: ['production-hold-ended'] },
  { from: 'security_hold', event: 'close', actors: ['ops'], guard: 'reason', to: 'withdrawn', stepUp: true, mails: ['production-hold-ended'] },

  { from: 'sponsor_confirmed', event: 'agreement_sign', actors: documents, guard: 'by the named signatory', to: 'agreement_signed' },
  { from: 'sponsor_confirmed', event: 'agreement_execute', actors: documents, guard: 'one in force covers the request', to: 'agreement_executed' },
  { from: 'sponsor_confirmed', event: 'documents_close', actors: documents, guard: 'withdrawn, void, or 60 silent days', to: 'withdrawn', mails: ['production-withdrawn'] },
  { from: 'sponsor_confirmed', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'sponsor_declined', mails: ['sponsor-declined'] },
  { from: 'sponsor_confirmed', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },

  { from: 'agreement_signed', event: 'agreement_execute', actors: documents, guard: 'counter-signed, by a person or by policy', to: 'agreement_executed' },
  { from: 'agreement_signed', event: 'documents_close', actors: documents, to: 'withdrawn', mails: ['production-withdrawn'] },
  { from: 'agreement_signed', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'sponsor_declined', mails: ['sponsor-declined'] },
  { from: 'agreement_signed', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },

  { from: 'agreement_executed', event: 'baa_offer', actors: documents, to: 'baa_pending' },
  { from: 'agreement_executed', event: 'baa_execute', actors: documents, guard: 'one in force covers the request', to: 'baa_executed', clock: 'start' },
  { from: 'agreement_executed', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'sponsor_declined', mails: ['sponsor-declined'] },
  { from: 'agreement_executed', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },

  { from: 'baa_pending', event: 'baa_sign', actors: documents, guard: 'by a named signatory, the same bytes', to: 'baa_half' },
  { from: 'baa_pending', event: 'baa_negotiate', actors: documents, guard: 'comments', to: 'baa_negotiation' },
  { from: 'baa_pending', event: 'documents_close', actors: documents, guard: 'withdrawn, or void', to: 'withdrawn', mails: ['production-withdrawn'] },
  { from: 'baa_pending', event: 'stall', actors: documents, guard: '30 silent days', to: 'stalled' },
  { from: 'baa_pending', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'sponsor_declined', mails: ['sponsor-declined'] },
  { from: 'baa_pending', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },

  { from: 'baa_half', event: 'baa_execute', actors: documents, guard: 'both signed the same bytes', to: 'baa_executed', clock: 'start' },
  { from: 'baa_half', event: 'baa_negotiate', actors: documents, guard: 'voids the signature', to: 'baa_negotiation' },
  { from: 'baa_half', event: 'documents_close', actors: documents, guard: 'withdrawn, or void', to: 'withdrawn', mails: ['production-withdrawn'] },
  { from: 'baa_half', event: 'stall', actors: documents, guard: '30 silent days', to: 'stalled' },
  { from: 'baa_half', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'sponsor_declined', mails: ['sponsor-declined'] },
  { from: 'baa_half', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },

  { from: 'baa_negotiation', event: 'baa_sign', actors: documents, guard: 'the new version', to: 'baa_half' },
  { from: 'baa_negotiation', event: 'baa_negotiate', actors: documents, to: 'baa_negotiation' },
  { from: 'baa_negotiation', event: 'documents_close', actors: documents, guard: 'withdrawn, or void', to: 'withdrawn', mails: ['production-withdrawn'] },
  { from: 'baa_negotiation', event: 'stall', actors: documents, guard: '30 silent days', to: 'stalled' },
  { from: 'baa_negotiation', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'sponsor_declined', mails: ['sponsor-declined'] },
  { from: 'baa_negotiation', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },

  { from: 'stalled', event: 'baa_sign', actors: documents, guard: 'or somebody is back, and one has signed', to: 'baa_half' },
  { from: 'stalled', event: 'baa_execute', actors: documents, guard: 'the second signature', to: 'baa_executed', clock: 'start' },
  { from: 'stalled', event: 'baa_negotiate', actors: documents, to: 'baa_negotiation' },
  { from: 'stalled', event: 'baa_offer', actors: documents, guard: 'somebody is back, nobody has signed', to: 'baa_pending' },
  { from: 'stalled', event: 'documents_close', actors: documents, guard: '60 silent days', to: 'withdrawn', mails: ['production-withdrawn'] },
  { from: 'stalled', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'sponsor_declined', mails: ['sponsor-declined'] },
  { from: 'stalled', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },

  { from: 'baa_executed', event: 'claim', actors: ['reviewer'], guard: 'no conflict of interest', to: 'in_review' },
  { from: 'baa_executed', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'sponsor_declined', clock: 'stop', mails: ['sponsor-declined'] },
  { from: 'baa_executed', event: 'withdraw', actors: holders, to: 'withdrawn', clock: 'stop', mails: ['production-withdrawn'] },

  { from: 'in_review', event: 'claim', actors: ['reviewer'], guard: 'a colleague takes it over', to: 'in_review' },
  { from: 'in_review', event: 'request_info', actors: ['reviewer'], guard: 'coded items with words', to: 'needs_info', clock: 'pause', stepUp: true, mails: ['production-needs-info'] },
  { from: 'in_review', event: 'approve_first', actors: ['reviewer'], guard: 'full; four facts in force now', to: 'in_review', stepUp: true },
  { from: 'in_review', event: 'approve', actors: ['reviewer'], guard: 'four facts in force now; for full the second of two reviewers', to: 'approved', clock: 'stop', stepUp: true, mails: [] },
  { from: 'in_review', event: 'propose_rejection', actors: ['reviewer'], guard: 'coded', to: 'in_review', stepUp: true },
  { from: 'in_review', event: 'dismiss_rejection', actors: ['reviewer'], guard: 'a rejection is proposed', to: 'in_review', stepUp: true },
  { from: 'in_review', event: 'reject', actors: ['reviewer'], guard: 'another reviewer proposed it', to: 'rejected', clock: 'stop', stepUp: true, mails: ['production-rejected'] },
  { from: 'in_review', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'sponsor_declined', clock: 'stop', mails: ['sponsor-declined'] },
  { from: 'in_review', event: 'withdraw', actors: holders, to: 'withdrawn', clock: 'stop', mails: ['production-withdrawn'] },

  { from: 'needs_info', event: 'resubmit', actors: holders, guard: 'every item answered', to: 'baa_executed', clock: 'resume' },
  { from: 'needs_info', event: 'remind', actors: ['system'], guard: 'days 3 and 7', to: 'needs_info', due: 'developer_reminder', mails: ['production-info-reminder'] },
  { from: 'needs_info', event: 'lapse', actors: ['system'], guard: '30 silent days', to: 'withdrawn', due: 'developer_silent', clock: 'stop', mails: ['production-withdrawn'] },
  { from: 'needs_info', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'sponsor_declined', clock: 'stop', mails: ['sponsor-declined'] },
  { from: 'needs_info', event: 'withdraw', actors: holders, to: 'withdrawn', clock: 'stop', mails: ['production-withdrawn'] },

  { from: 'rejected', event: 'appeal', actors: holders, guard: 'at most 30 days; other reviewers', to: 'baa_executed', clock: 'start' },

  { from: 'approved', event: 'provision', actors: ['system'], to: 'ready_to_claim', mails: ['production-claim', 'production-approved'] },

  { from: 'renewal_invited', event: 'reconfirm', actors: sponsor, guard: 'one click; four facts in force now', to: 'ready_to_claim', stepUp: true, mails: ['production-claim', 'production-approved'] },
  { from: 'renewal_invited', event: 'decline', actors: sponsor, guard: 'reason', to: 'sponsor_declined', mails: ['sponsor-declined'] },
  { from: 'renewal_invited', event: 'not_us', actors: ['sponsor', 'signatory'], to: 'security_hold', mails: ['production-security-hold'] },
  { from: 'renewal_invited', event: 'remind', actors: ['system'], guard: 'days 3, 7 and 12', to: 'renewal_invited', due: 'sponsor_reminder', mails: ['sponsor-reminder'] },
  { from: 'renewal_invited', event: 'lapse', actors: ['system'], guard: '14 days', to: 'withdrawn', due: 'sponsor_silent', mails: ['sponsor-expired'] },
  { from: 'renewal_invited', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },

  { from: 'ready_to_claim', event: 'reveal', actors: holders, guard: 'the requester, by POST; four facts in force now', to: 'active', stepUp: true, mails: ['production-revealed'] },
  { from: 'ready_to_claim', event: 'claim_lapse', actors: ['system'], guard: '72 hours', to: 'claim_expired', due: 'claim_over', mails: ['production-claim-expired'] },
  { from: 'ready_to_claim', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'sponsor_declined', mails: ['sponsor-declined'] },
  { from: 'ready_to_claim', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },
  { from: 'claim_expired', event: 'reissue', actors: holders, guard: 'the requester, at most 3', to: 'ready_to_claim', mails: ['production-claim'] },
  { from: 'claim_expired', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'sponsor_declined', mails: ['sponsor-declined'] },
  { from: 'claim_expired', event: 'withdraw', actors: holders, to: 'withdrawn', mails: ['production-withdrawn'] },

  { from: 'active', event: 'rotate', actors: holders, guard: 'the requester; grace at most 7 days, at most 2 live keys', to: 'rotating', stepUp: true, mails: ['key-rotated', 'production-rotated'] },
  { from: 'active', event: 're_sponsor', actors: sponsor, guard: 'another admin takes the sponsorship over', to: 'active', stepUp: true },
  { from: 'active', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'suspended', stepUp: true, mails: ['production-suspended'] },
  { from: 'active', event: 'suspend', actors: ['sponsor', 'ops', 'system', 'documents'], guard: 'reason', to: 'suspended', stepUp: true, mails: ['production-suspended'] },
  { from: 'active', event: 'expire', actors: ['system'], guard: 'its term is over', to: 'expired', due: 'term_over', mails: ['production-expired'] },
  { from: 'active', event: 'revoke', actors: ['admin', 'owner', 'sponsor', 'ops', 'system'], guard: 'reason; a person gives the password again', to: 'revoked', due: 'nothing_left', stepUp: true, mails: ['production-revoked'] },
  { from: 'active', event: 'remind', actors: ['system'], guard: '30, 14, 7, 3, 1 days before the end', to: 'active', due: 'term_reminder', mails: ['production-expiring'] },

  { from: 'rotating', event: 'grace_end', actors: ['system'], guard: 'the old key has ended', to: 'active', due: 'grace_over' },
  { from: 'rotating', event: 're_sponsor', actors: sponsor, to: 'rotating', stepUp: true },
  { from: 'rotating', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'suspended', stepUp: true, mails: ['production-suspended'] },
  { from: 'rotating', event: 'suspend', actors: ['sponsor', 'ops', 'system', 'documents'], guard: 'reason', to: 'suspended', stepUp: true, mails: ['production-suspended'] },
  { from: 'rotating', event: 'expire', actors: ['system'], to: 'expired', due: 'term_over', mails: ['production-expired'] },
  { from: 'rotating', event: 'revoke', actors: ['admin', 'owner', 'sponsor', 'ops', 'system'], guard: 'reason', to: 'revoked', due: 'nothing_left', stepUp: true, mails: ['production-revoked'] },
  { from: 'rotating', event: 'remind', actors: ['system'], to: 'rotating', due: 'term_reminder', mails: ['production-expiring'] },

  { from: 'suspended', event: 'suspend', actors: ['sponsor', 'ops', 'system', 'documents'], guard: 'a further cause', to: 'suspended', stepUp: true },
  { from: 'suspended', event: 'end_sponsorship', actors: sponsor, guard: 'reason', to: 'suspended', stepUp: true },
  { from: 'suspended', event: 're_sponsor', actors: sponsor, guard: 'ends the cause that the sponsorship was', to: 'suspended', stepUp: true },
  { from: 'suspended', event: 'clear', actors: ['sponsor', 'ops', 'system', 'documents'], guard: 'one cause is over, another is not', to: 'suspended', stepUp: true },
  { from: 'suspended', event: 'reinstate', actors: ['sponsor', 'ops', 'system', 'documents'], guard: 'who suspended, or ops; every cause is over; four facts in force now', to: 'active', stepUp: true, mails: ['production-reinstated'] },
  { from: 'suspended', event: 'expire', actors: ['system'], to: 'expired', due: 'term_over', mails: ['production-expired'] },
  { from: 'suspended', event: 'revoke', actors: ['admin', 'owner', 'sponsor', 'ops', 'system'], guard: 'reason; by itself after 7 days without a sponsor', to: 'revoked', due: 'nothing_left', stepUp: true, mails: ['production-revoked'] },
] as const satisfies readonly ProductionKeyTransition[]

export const productionKeyWorkflow = defineWorkflow('production key', rows)

export type ProductionKeyState = (typeof productionKeyWorkflow)['states'][number]
export type ProductionKeyEventName = (typeof rows)[number]['event']
/** When something happens by itself, in words; production-keys/due.ts has the dates. */
export const productionKeyDue = {
  sponsor_reminder: '3, 7 and 12 days after the invitation',
  sponsor_silent: '14 days after the invitation',
  developer_reminder: '3 and 7 days after the question',
  developer_silent: '30 days after the question',
  claim_over: '72 hours after the claim link was made',
  term_reminder: '30, 14, 7, 3 and 1 days before the end of the term, unless it is renewed',
  term_over: 'the end of the term',
  nothing_left: 'when no key works any more, or 7 days after the sponsorship ended',
  grace_over: 'when the rotated key has ended',
} as const satisfies Readonly<Record<ProductionKeyDue, string>>
export type ProductionKeyDue = Extract<(typeof rows)[number], { due: string }>['due']

export type ProductionKeyActor = (typeof rows)[number]['actors'][number]

export const productionKeyEvents = [
  ...new Set(rows.map(({ event }) => event)),
] as readonly ProductionKeyEventName[]

/** Everybody the portal knows, for the sweep; some of them may do nothing here. */
export const productionKeyActors = [
  'visitor',
  'viewer',
  'developer',
  'admin',
  'owner',
  'clinician',
  'signatory',
  'sponsor',
  'reviewer',
  'ops',
  'system',
  'documents',
] as const
export type ProductionKeyParty = (typeof productionKeyActors)[number]

type Holder = 'developer' | 'practice' | 'both' | 'us' | 'nobody'

/** Whose turn it is, and the state as people read it. */
export const productionKeyStates: Readonly<
  Record<ProductionKeyState, Readonly<{ name: string; holder: Holder }>>
> = {
  draft: { name: 'Draft', holder: 'developer' },
  sponsor_invited: { name: 'At the practice', holder: 'practice' },
  sponsor_confirmed: { name: 'Agreement to sign', holder: 'developer' },
  sponsor_declined: { name: 'Not sponsored', holder: 'nobody' },
  sponsor_expired: { name: 'No answer', holder: 'developer' },
  security_hold: { name: 'Held for security', holder: 'us' },
  agreement_signed: { name: 'To be counter-signed', holder: 'us' },
  agreement_executed: { name: 'Agreement in force', holder: 'us' },
  baa_pending: { name: 'BAA to sign', holder: 'both' },
  baa_half: { name: 'BAA half signed', holder: 'both' },
  baa_negotiation: { name: 'BAA being negotiated', holder: 'both' },
  stalled: { name: 'Stalled at the BAA', holder: 'both' },
  baa_executed: { name: 'Waiting for review', holder: 'us' },
  in_review: { name: 'In review', holder: 'us' },
  needs_info: { name: 'Waiting for your answer', holder: 'developer' },
  approved: { name: 'Approved', holder: 'us' },
  rejected: { name: 'Rejected', holder: 'nobody' },
  renewal_invited: { name: 'Renewal at the practice', holder: 'practice' },
  ready_to_claim: { name: 'Ready to claim', holder: 'developer' },
  claim_expired: { name: 'Claim link ended', holder: 'developer' },
  active: { name: 'Active', holder: 'nobody' },
  rotating: { name: 'Active, being rotated', holder: 'nobody' },
  suspended: { name: 'Suspended', holder: 'nobody' },
  revoked: { name: 'Revoked', holder: 'nobody' },
  expired: { name: 'Expired', holder: 'nobody' },
  withdrawn: { name: 'Withdrawn', holder: 'nobody' },
}

/** What waits for a reviewer. */
export const productionQueueStates: readonly ProductionKeyState[] = ['baa_executed', 'in_review']
/** There is a key, and it has not ended. */
export const keyedStates: readonly ProductionKeyState[] = ['active', 'rotating', 'suspended']
export const endedStates: readonly ProductionKeyState[] = [
  'sponsor_declined',
  'rejected',
  'revoked',
  'expired',
  'withdrawn',
]

export const productionKeyTimes = {
  /** For the practice to answer an invitation, and the days on which it is reminded. */
  sponsorDays: 14,
  sponsorReminderDays: [3, 7, 12],
  reinvitesMax: 2,
  reviewBusinessDays: 5,
  infoReminderDays: [3, 7],
  infoSilentDays: 30,
  appealDays: 30,
  claimHours: 72,
  claimReissuesMax: 3,
  defaultTermDays: 90,
  termDaysMax: 365,
  renewBeforeDays: 30,
  renewAfterDays: 30,
  /** After which a key without a sponsor is revoked. */
  unsponsoredDays: 7,
  /** For the developer to say that the practice's data was returned or destroyed. */
  returnDays: 30,
  recertifyEveryDays: 365,
  recertifyWithinDays: 30,
  recertifyReminderDays: [0, 14, 23, 28],
} as const

/** Why a key does not work for now. Each cause is opened and ended on its own; it works again when none is left. */
export const suspensionCauses = {
  baa_ended: { title: 'The BAA is not in force', by: 'system' },
  agreement_ended: { title: 'The usage agreement is not in force', by: 'system' },
  sponsorship_ended: { title: 'The practice ended its sponsorship', by: 'system' },
  sponsor_left: { title: 'The sponsor is no longer an admin of the practice', by: 'system' },
  practice_suspended: { title: 'The practice is suspended', by: 'system' },
  not_recertified: { title: 'The practice did not confirm it again within the year', by: 'system' },
  practice: { title: 'Suspended by the practice', by: 'sponsor' },
  ops: { title: 'Suspended by us', by: 'ops' },
} as const satisfies Readonly<Record<string, { title: string; by: 'system' | 'sponsor' | 'ops' }>>
export type SuspensionCause = keyof typeof suspensionCauses
