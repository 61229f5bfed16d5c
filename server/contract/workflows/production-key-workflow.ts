/**
 * The life of a production key's request (workflows §4): who may move it, from where to where, with what proof, and
 * what that does to the review's clock. What happens to the key later walks the same table.
 */
import { defineWorkflow, organizationActors, type TableRow, type Transition } from './workflows.ts'

/** Who starts and holds production access on the developers' side. */
const holders = ['admin', 'owner'] as const
/** An admin of the practice that vouches. */
const sponsor = ['sponsor'] as const
/** The documents' own steps: told by the agreements, in the transaction that changes them. */
const documents = ['documents'] as const

/** What must hold before a step. The domain has a function of each name, without which it does not compile. */
export const productionKeyGuards = {
  domain_verified: 'a domain of the organization is verified',
  renewable:
    'in the last 30 days of the key, or 30 after; no other renewal is open; people did not stop the key',
  request_complete:
    'every field is filled in; practice found and not suspended, with an admin on file; security profile complete; signatory is an owner',
  signatory_named: 'the practice is active, and the person named may sign for it',
  invitations_left: 'the practice was invited again twice at most',
  sponsorship_open: 'the sponsorship has not ended yet',
  not_claimed_already: 'the same reviewer has not claimed it',
  claimed_by_actor: 'the reviewer has claimed it',
  ready_first: 'claimed; four facts in force now; no rejection proposed',
  ready_last:
    'four facts in force now; no rejection proposed; for full access the second of two reviewers, else claimed',
  no_rejection_proposed: 'claimed, and no rejection is proposed',
  rejection_proposed: 'a rejection is proposed',
  second_reviewer: 'another reviewer proposed the rejection',
  items_answered: 'every item is answered',
  appeal_in_time: 'at most 30 days after the rejection',
  facts_in_force:
    'the practice is active; four facts in force now; people did not stop the key that is renewed',
  claim_open: 'the requester, within 72 hours; four facts in force now; at most two live keys',
  reissues_left: 'the requester, three times at most',
  another_sponsor: 'somebody else vouches, or nobody',
  new_cause: 'not suspended for this cause yet',
  cause_over: 'a cause that the same side opened, or that is over by itself, has ended',
  causes_over: 'as before, and none is left; four facts in force now',
} as const
export type ProductionKeyGuard = keyof typeof productionKeyGuards

/** Who gets an email. Both: the developers and the practice's admins; involved: the admins only if the request reached them. */
export type ProductionKeyRecipients = 'developers' | 'practice' | 'both' | 'involved' | 'requester' | 'ops'

export type ProductionKeyTransition = Transition &
  Readonly<{
    guard?: ProductionKeyGuard
    emails?: Readonly<Record<string, ProductionKeyRecipients>>
    /** Five business days for the review; waits while the developer has the next step. */
    clock?: 'start' | 'pause' | 'resume' | 'stop'
    /** Proof that the person is there now: the one step-up of the portal. */
    stepUp?: true
  }>

// biome-ignore format: a table reads as a table
const rows = [
  { from: null, event: 'create', actors: holders, guard: 'domain_verified', to: 'draft' },
  { from: null, event: 'renew', actors: holders, guard: 'renewable', to: 'renewal_invited', emails: { 'production-renewal-asked': 'practice' } },

  { from: 'draft', event: 'save', actors: holders, to: 'draft' },
  { from: 'draft', event: 'submit', actors: holders, guard: 'request_complete', to: 'sponsor_invited', emails: { 'production-received': 'developers', 'sponsor-invited': 'practice' } },
  { from: 'draft', event: 'withdraw', actors: holders, to: 'withdrawn', emails: { 'production-withdrawn': 'involved' } },
  { from: 'sponsor_invited', event: 'confirm', actors: sponsor, guard: 'signatory_named', to: 'sponsor_confirmed', stepUp: true, emails: { 'sponsor-confirmed': 'both' } },
  { from: 'sponsor_expired', event: 'reinvite', actors: holders, guard: 'invitations_left', to: 'sponsor_invited', emails: { 'production-received': 'developers', 'sponsor-invited': 'practice' } },
  { from: 'security_hold', event: 'release', actors: ['ops'], to: 'draft', stepUp: true, emails: { 'production-hold-ended': 'both' } },
  { from: 'security_hold', event: 'close', actors: ['ops'], to: 'withdrawn', stepUp: true, emails: { 'production-hold-ended': 'both' } },

  { from: 'sponsor_confirmed', event: 'agreement_sign', actors: documents, to: 'agreement_signed' },
  { from: ['sponsor_confirmed', 'agreement_signed'], event: 'agreement_execute', actors: documents, to: 'agreement_executed' },
  { from: 'agreement_executed', event: 'baa_offer', actors: documents, to: 'baa_pending' },
  { from: ['baa_pending', 'baa_negotiation', 'stalled'], event: 'baa_sign', actors: documents, to: 'baa_half' },
  { from: ['agreement_executed', 'baa_half', 'stalled'], event: 'baa_execute', actors: documents, to: 'baa_executed', clock: 'start' },
  { from: ['baa_pending', 'baa_half', 'baa_negotiation', 'stalled'], event: 'baa_negotiate', actors: documents, to: 'baa_negotiation' },
  { from: 'stalled', event: 'baa_offer', actors: documents, to: 'baa_pending' },
  { from: ['sponsor_confirmed', 'agreement_signed', 'baa_pending', 'baa_half', 'baa_negotiation', 'stalled'], event: 'documents_close', actors: documents, to: 'withdrawn', emails: { 'production-withdrawn': 'both' } },
  { from: ['baa_pending', 'baa_half', 'baa_negotiation'], event: 'stall', actors: documents, to: 'stalled' },
  { from: ['baa_executed', 'in_review'], event: 'claim', actors: ['reviewer'], guard: 'not_claimed_already', to: 'in_review' },
  { from: 'in_review', event: 'request_info', actors: ['reviewer'], guard: 'claimed_by_actor', to: 'needs_info', clock: 'pause', stepUp: true, emails: { 'production-needs-info': 'developers' } },
  { from: 'in_review', event: 'approve_first', actors: ['reviewer'], guard: 'ready_first', to: 'in_review', stepUp: true },
  { from: 'in_review', event: 'approve', actors: ['reviewer'], guard: 'ready_last', to: 'approved', clock: 'stop', stepUp: true },
  { from: 'in_review', event: 'propose_rejection', actors: ['reviewer'], guard: 'no_rejection_proposed', to: 'in_review', stepUp: true },
  { from: 'in_review', event: 'dismiss_rejection', actors: ['reviewer'], guard: 'rejection_proposed', to: 'in_review', stepUp: true },
  { from: 'in_review', event: 'reject', actors: ['reviewer'], guard: 'second_reviewer', to: 'rejected', clock: 'stop', stepUp: true, emails: { 'production-rejected': 'developers' } },

  { from: 'needs_info', event: 'resubmit', actors: holders, guard: 'items_answered', to: 'baa_executed', clock: 'resume' },
  { from: 'needs_info', event: 'remind', actors: ['system'], to: 'needs_info', due: 'developer_reminder', emails: { 'production-info-reminder': 'developers' } },
  { from: 'needs_info', event: 'lapse', actors: ['system'], to: 'withdrawn', due: 'developer_silent', clock: 'stop', emails: { 'production-withdrawn': 'both' } },

  { from: ['baa_executed', 'in_review', 'needs_info'], event: 'end_sponsorship', actors: sponsor, guard: 'sponsorship_open', to: 'sponsor_declined', clock: 'stop', emails: { 'sponsor-declined': 'developers' } },
  { from: ['baa_executed', 'in_review', 'needs_info'], event: 'withdraw', actors: holders, to: 'withdrawn', clock: 'stop', emails: { 'production-withdrawn': 'both' } },
  { from: 'rejected', event: 'appeal', actors: holders, guard: 'appeal_in_time', to: 'baa_executed', clock: 'start' },
  { from: 'approved', event: 'provision', actors: ['system'], to: 'ready_to_claim', emails: { 'production-claim': 'requester', 'production-approved': 'both' } },
  { from: 'renewal_invited', event: 'reconfirm', actors: sponsor, guard: 'facts_in_force', to: 'ready_to_claim', stepUp: true, emails: { 'production-claim': 'requester', 'production-approved': 'both' } },
  { from: ['sponsor_invited', 'renewal_invited'], event: 'decline', actors: sponsor, to: 'sponsor_declined', emails: { 'sponsor-declined': 'developers' } },
  { from: ['sponsor_invited', 'renewal_invited'], event: 'not_us', actors: ['sponsor', 'signatory'], to: 'security_hold', emails: { 'production-security-hold': 'ops' } },
  { from: 'sponsor_invited', event: 'remind', actors: ['system'], to: 'sponsor_invited', due: 'sponsor_reminder', emails: { 'sponsor-reminder': 'practice' } },
  { from: 'sponsor_invited', event: 'lapse', actors: ['system'], to: 'sponsor_expired', due: 'sponsor_silent', emails: { 'sponsor-expired': 'developers' } },

  { from: 'renewal_invited', event: 'remind', actors: ['system'], to: 'renewal_invited', due: 'sponsor_reminder', emails: { 'sponsor-reminder': 'practice' } },
  { from: 'renewal_invited', event: 'lapse', actors: ['system'], to: 'withdrawn', due: 'sponsor_silent', emails: { 'sponsor-expired': 'developers' } },

  { from: 'ready_to_claim', event: 'reveal', actors: holders, guard: 'claim_open', to: 'active', stepUp: true, emails: { 'production-revealed': 'both' } },
  { from: 'ready_to_claim', event: 'claim_lapse', actors: ['system'], to: 'claim_expired', due: 'claim_over', emails: { 'production-claim-expired': 'developers' } },
  { from: 'claim_expired', event: 'reissue', actors: holders, guard: 'reissues_left', to: 'ready_to_claim', emails: { 'production-claim': 'requester' } },
  { from: ['sponsor_confirmed', 'agreement_signed', 'agreement_executed', 'baa_pending', 'baa_half', 'baa_negotiation', 'stalled', 'ready_to_claim', 'claim_expired'], event: 'end_sponsorship', actors: sponsor, guard: 'sponsorship_open', to: 'sponsor_declined', emails: { 'sponsor-declined': 'developers' } },
  { from: ['sponsor_invited', 'sponsor_expired', 'sponsor_confirmed', 'agreement_signed', 'agreement_executed', 'baa_pending', 'baa_half', 'baa_negotiation', 'stalled', 'renewal_invited', 'ready_to_claim', 'claim_expired'], event: 'withdraw', actors: holders, to: 'withdrawn', emails: { 'production-withdrawn': 'both' } },
  { from: 'active', event: 'rotate', actors: holders, to: 'rotating', stepUp: true, emails: { 'production-rotated': 'practice' } },
  { from: 'active', event: 're_sponsor', actors: sponsor, guard: 'another_sponsor', to: 'active', stepUp: true },

  { from: 'rotating', event: 'grace_end', actors: ['system'], to: 'active', due: 'grace_over' },
  { from: 'rotating', event: 're_sponsor', actors: sponsor, guard: 'another_sponsor', to: 'rotating', stepUp: true },

  { from: ['active', 'rotating'], event: 'end_sponsorship', actors: sponsor, guard: 'sponsorship_open', to: 'suspended', stepUp: true, emails: { 'production-suspended': 'both' } },
  { from: ['active', 'rotating'], event: 'suspend', actors: ['sponsor', 'ops', 'system', 'documents'], guard: 'new_cause', to: 'suspended', stepUp: true, emails: { 'production-suspended': 'both' } },

  { from: 'suspended', event: 'suspend', actors: ['sponsor', 'ops', 'system', 'documents'], guard: 'new_cause', to: 'suspended', stepUp: true },
  { from: 'suspended', event: 'end_sponsorship', actors: sponsor, guard: 'sponsorship_open', to: 'suspended', stepUp: true },
  { from: 'suspended', event: 're_sponsor', actors: sponsor, guard: 'another_sponsor', to: 'suspended', stepUp: true },
  { from: 'suspended', event: 'clear', actors: ['sponsor', 'ops', 'system', 'documents'], guard: 'cause_over', to: 'suspended', stepUp: true },
  { from: 'suspended', event: 'reinstate', actors: ['sponsor', 'ops', 'system', 'documents'], guard: 'causes_over', to: 'active', stepUp: true, emails: { 'production-reinstated': 'both' } },

  { from: ['active', 'rotating', 'suspended'], event: 'expire', actors: ['system'], to: 'expired', due: 'term_over', emails: { 'production-expired': 'both' } },
  { from: ['active', 'rotating', 'suspended'], event: 'revoke', actors: ['admin', 'owner', 'sponsor', 'ops', 'system'], to: 'revoked', due: 'nothing_left', stepUp: true, emails: { 'production-revoked': 'both' } },
  { from: 'active', event: 'remind', actors: ['system'], to: 'active', due: 'term_reminder', emails: { 'production-expiring': 'developers' } },
  { from: 'rotating', event: 'remind', actors: ['system'], to: 'rotating', due: 'term_reminder', emails: { 'production-expiring': 'developers' } },
] as const satisfies readonly TableRow<ProductionKeyTransition>[]

export const productionKeyWorkflow = defineWorkflow('production key', rows)

export type ProductionKeyState = (typeof productionKeyWorkflow)['states'][number]
export type ProductionKeyEventName = (typeof rows)[number]['event']
/** What happens by itself; production-keys/due.ts says when. */
export type ProductionKeyDue = Extract<(typeof rows)[number], { due: string }>['due']

export const productionKeyEvents = [
  ...new Set(rows.map(({ event }) => event)),
] as readonly ProductionKeyEventName[]

/** Everybody the portal knows, for the sweep; some of them may do nothing here. */
export const productionKeyActors = [
  ...organizationActors,
  'clinician',
  'signatory',
  'sponsor',
  'documents',
] as const
export type ProductionKeyParty = (typeof productionKeyActors)[number]

type Holder = 'developer' | 'practice' | 'both' | 'us' | 'nobody'

/** Whose turn it is, and the state as people read it. */
export const productionKeyStates: Readonly<
  Record<ProductionKeyState, Readonly<{ name: string; holder: Holder }>>
> = {
  draft: { name: 'Draft', holder: 'developer' },
  sponsor_invited: { name: 'Sent to the practice', holder: 'practice' },
  sponsor_confirmed: { name: 'Agreement to sign', holder: 'developer' },
  sponsor_declined: { name: 'Sponsorship declined', holder: 'nobody' },
  sponsor_expired: { name: 'No answer', holder: 'developer' },
  security_hold: { name: 'On security hold', holder: 'us' },
  agreement_signed: { name: 'To be countersigned', holder: 'us' },
  agreement_executed: { name: 'Agreement in force', holder: 'us' },
  baa_pending: { name: 'BAA to sign', holder: 'both' },
  baa_half: { name: 'BAA signed by one side', holder: 'both' },
  baa_negotiation: { name: 'BAA being negotiated', holder: 'both' },
  stalled: { name: 'Stalled at the BAA', holder: 'both' },
  baa_executed: { name: 'Waiting for review', holder: 'us' },
  in_review: { name: 'In review', holder: 'us' },
  needs_info: { name: 'Waiting for answers', holder: 'developer' },
  approved: { name: 'Approved', holder: 'us' },
  rejected: { name: 'Rejected', holder: 'nobody' },
  renewal_invited: { name: 'Renewal sent to the practice', holder: 'practice' },
  ready_to_claim: { name: 'Ready to claim', holder: 'developer' },
  claim_expired: { name: 'Claim link expired', holder: 'developer' },
  active: { name: 'Active', holder: 'nobody' },
  rotating: { name: 'Active, rotation in progress', holder: 'nobody' },
  suspended: { name: 'Stopped', holder: 'nobody' },
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

/** Why a key does not work for now, and what its developers can do. Each cause is opened and ended on its own; it works again when none is left. */
export const suspensionCauses = {
  baa_ended: { title: 'The BAA is not in force', by: 'system', next: 'Sign a new BAA with the practice.' },
  agreement_ended: {
    title: 'The usage agreement is not in force',
    by: 'system',
    next: 'Sign a new usage agreement.',
  },
  sponsorship_ended: {
    title: 'The practice ended its sponsorship',
    by: 'system',
    next: 'Ask the practice to sponsor the key again. After 7 days without a sponsor, it is revoked.',
  },
  sponsor_left: {
    title: 'The sponsor is no longer an admin of the practice',
    by: 'system',
    next: 'Ask the practice for another sponsor. After 7 days without a sponsor, it is revoked.',
  },
  practice_suspended: {
    title: 'The practice is stopped',
    by: 'system',
    next: 'Nothing for you to do. The key works again once the practice is active.',
  },
  not_recertified: {
    title: 'The practice did not confirm it in the annual review',
    by: 'system',
    next: 'Ask the practice to confirm the key in its annual review.',
  },
  practice: {
    title: 'Stopped by the practice',
    by: 'sponsor',
    next: 'Talk to the practice. One of its admins can resume the key.',
  },
  ops: {
    title: 'Stopped by an operator',
    by: 'ops',
    next: 'Read the reason in the email about it, and reply to that email.',
  },
} as const satisfies Readonly<
  Record<string, { title: string; by: 'system' | 'sponsor' | 'ops'; next: string }>
>
export type SuspensionCause = keyof typeof suspensionCauses
