/**
 * The life of an agreement: who may move it, from where to where, with what proof. Templates are published with a
 * release; what stands here begins when one is offered to named people.
 */
import { defineWorkflow, type Transition } from './workflows.ts'

/** Everybody the portal knows. The role somebody has at the agreement's organization or practice, or on our staff. */
export const agreementActors = [
  'visitor',
  'viewer',
  'developer',
  'admin',
  'owner',
  'practice_clinician',
  'practice_admin',
  'practice_signatory',
  'reviewer',
  'ops',
  'system',
] as const
export type AgreementActor = (typeof agreementActors)[number]

export type AgreementTransition = Transition &
  Readonly<{
    /** Password at most ten minutes old, and the second factor where the realm has one. */
    stepUp?: true
  }>

const signers = ['owner', 'practice_admin', 'practice_signatory'] as const
const parties = ['admin', 'owner', 'practice_admin', 'practice_signatory'] as const
const enders = ['owner', 'practice_admin', 'practice_signatory', 'ops'] as const
/** Of a side, those who may say who signs for it. */
const namers = ['owner', 'practice_admin'] as const
const closers = [...parties, 'ops', 'system'] as const
const named = 'named signatory, password at most 10 minutes old, same bytes'

// biome-ignore format: a table reads as a table
const rows = [
  { from: null, event: 'offer', actors: [...parties, 'ops', 'system'], guard: 'fields complete, signatories named', to: 'offered', mails: ['agreement-offered'] },

  { from: 'offered', event: 'sign', actors: signers, guard: named, to: 'partially_signed', stepUp: true, mails: ['agreement-signed'] },
  { from: 'offered', event: 'edit', actors: parties, guard: 'a BAA; comments', to: 'negotiation', mails: ['agreement-changed'] },
  { from: 'offered', event: 'reject', actors: parties, guard: 'a BAA; comments', to: 'negotiation', mails: ['agreement-changed'] },
  { from: 'offered', event: 'name_signatory', actors: namers, guard: 'of the own side; whoever was named may not sign any more; signatures are void', to: 'negotiation', mails: ['agreement-changed'] },
  { from: 'offered', event: 'reoffer', actors: ['system'], guard: 'stored bytes or template changed', to: 'offered', mails: ['agreement-changed'] },
  { from: 'offered', event: 'void', actors: ['system'], guard: 'bytes of an upload changed', to: 'void', mails: ['agreement-closed'] },
  { from: 'offered', event: 'remind', actors: ['system'], guard: '7, 14, 21 days silent', to: 'offered', due: 'silence_reminder', mails: ['agreement-reminder'] },
  { from: 'offered', event: 'stall', actors: ['system'], guard: '30 days silent', to: 'stalled', due: 'silent', mails: ['agreement-stalled'] },
  { from: 'offered', event: 'withdraw', actors: closers, guard: 'reason', to: 'withdrawn', mails: ['agreement-closed'] },

  { from: 'partially_signed', event: 'sign_last', actors: signers, guard: named, to: 'executed', stepUp: true, mails: ['agreement-executed'] },
  { from: 'partially_signed', event: 'counter_sign', actors: ['ops', 'system'], guard: 'a usage agreement; by the policy in contract/agreements.ts', to: 'executed', stepUp: true, mails: ['agreement-executed'] },
  { from: 'partially_signed', event: 'edit', actors: parties, guard: 'a BAA; comments; signatures are void', to: 'negotiation', mails: ['agreement-changed'] },
  { from: 'partially_signed', event: 'reject', actors: parties, guard: 'a BAA; comments; signatures are void', to: 'negotiation', mails: ['agreement-changed'] },
  { from: 'partially_signed', event: 'name_signatory', actors: namers, guard: 'of the own side; whoever was named may not sign any more; signatures are void', to: 'negotiation', mails: ['agreement-changed'] },
  { from: 'partially_signed', event: 'reoffer', actors: ['system'], guard: 'stored bytes or template changed', to: 'offered', mails: ['agreement-changed'] },
  { from: 'partially_signed', event: 'void', actors: ['system'], guard: 'bytes of an upload changed', to: 'void', mails: ['agreement-closed'] },
  { from: 'partially_signed', event: 'remind', actors: ['system'], guard: '7, 14, 21 days silent', to: 'partially_signed', due: 'silence_reminder', mails: ['agreement-reminder'] },
  { from: 'partially_signed', event: 'stall', actors: ['system'], guard: '30 days silent', to: 'stalled', due: 'silent', mails: ['agreement-stalled'] },
  { from: 'partially_signed', event: 'withdraw', actors: closers, guard: 'reason', to: 'withdrawn', mails: ['agreement-closed'] },

  { from: 'negotiation', event: 'sign', actors: signers, guard: `${named}; the version was not rejected`, to: 'partially_signed', stepUp: true, mails: ['agreement-signed'] },
  { from: 'negotiation', event: 'edit', actors: parties, guard: 'comments', to: 'negotiation', mails: ['agreement-changed'] },
  { from: 'negotiation', event: 'reject', actors: parties, guard: 'comments', to: 'negotiation', mails: ['agreement-changed'] },
  { from: 'negotiation', event: 'name_signatory', actors: namers, guard: 'of the own side; whoever was named may not sign any more; signatures are void', to: 'negotiation', mails: ['agreement-changed'] },
  { from: 'negotiation', event: 'reoffer', actors: ['system'], guard: 'stored bytes or template changed', to: 'offered', mails: ['agreement-changed'] },
  { from: 'negotiation', event: 'void', actors: ['system'], guard: 'bytes of an upload changed', to: 'void', mails: ['agreement-closed'] },
  { from: 'negotiation', event: 'remind', actors: ['system'], guard: '7, 14, 21 days silent', to: 'negotiation', due: 'silence_reminder', mails: ['agreement-reminder'] },
  { from: 'negotiation', event: 'stall', actors: ['system'], guard: '30 days silent', to: 'stalled', due: 'silent', mails: ['agreement-stalled'] },
  { from: 'negotiation', event: 'withdraw', actors: closers, guard: 'reason', to: 'withdrawn', mails: ['agreement-closed'] },

  { from: 'stalled', event: 'resume', actors: parties, guard: 'somebody is back; signatures still count', to: 'offered' },
  { from: 'stalled', event: 'resume_half', actors: parties, guard: 'as resume, one side has signed', to: 'partially_signed' },
  { from: 'stalled', event: 'lapse', actors: ['system'], guard: '60 days silent', to: 'withdrawn', due: 'stalled_too_long', mails: ['agreement-closed'] },
  { from: 'stalled', event: 'withdraw', actors: closers, guard: 'reason', to: 'withdrawn', mails: ['agreement-closed'] },

  { from: 'executed', event: 'remind_expiry', actors: ['system'], guard: '30, 14, 7, 3, 1 days before the end, each once', to: 'executed', due: 'end_reminder', mails: ['agreement-expiring'] },
  { from: 'executed', event: 'amend', actors: [...parties, 'ops'], guard: 'comments; no other amendment open', to: 'amended', mails: ['agreement-offered'] },
  { from: 'executed', event: 'renew', actors: [...parties, 'ops', 'system'], guard: 'the last 60 days', to: 'amended', mails: ['agreement-offered'] },
  { from: 'executed', event: 'give_notice', actors: enders, guard: 'reason; a later day', to: 'executed', stepUp: true, mails: ['agreement-notice'] },
  { from: 'executed', event: 'terminate', actors: enders, guard: 'reason; at once', to: 'terminated', stepUp: true, mails: ['agreement-ended'] },
  { from: 'executed', event: 'end_notice', actors: ['system'], guard: 'the day of the notice', to: 'terminated', due: 'notice_over', mails: ['agreement-ended'] },
  { from: 'executed', event: 'expire', actors: ['system'], guard: 'the end of its term', to: 'expired', due: 'term_over', mails: ['agreement-ended'] },

  { from: 'amended', event: 'remind_expiry', actors: ['system'], guard: '30, 14, 7, 3, 1 days before the end, each once', to: 'amended', due: 'end_reminder', mails: ['agreement-expiring'] },
  { from: 'amended', event: 'supersede', actors: ['system'], guard: 'its amendment is executed', to: 'superseded' },
  { from: 'amended', event: 'drop_amendment', actors: ['system'], guard: 'its amendment was withdrawn or void', to: 'executed' },
  { from: 'amended', event: 'give_notice', actors: enders, guard: 'reason; a later day', to: 'amended', stepUp: true, mails: ['agreement-notice'] },
  { from: 'amended', event: 'terminate', actors: enders, guard: 'reason; at once', to: 'terminated', stepUp: true, mails: ['agreement-ended'] },
  { from: 'amended', event: 'end_notice', actors: ['system'], guard: 'the day of the notice', to: 'terminated', due: 'notice_over', mails: ['agreement-ended'] },
  { from: 'amended', event: 'expire', actors: ['system'], guard: 'the end of its term', to: 'expired', due: 'term_over', mails: ['agreement-ended'] },

  { from: 'expired', event: 'attest_return', actors: ['admin', 'owner'], guard: 'a BAA with an open task', to: 'expired', stepUp: true, mails: ['agreement-returned'] },
  { from: 'terminated', event: 'attest_return', actors: ['admin', 'owner'], guard: 'a BAA with an open task', to: 'terminated', stepUp: true, mails: ['agreement-returned'] },
] as const satisfies readonly AgreementTransition[]

export const agreementWorkflow = defineWorkflow('agreement', rows)

export type AgreementState = (typeof agreementWorkflow)['states'][number]
export type AgreementEventName = (typeof rows)[number]['event']
/** When something happens by itself, in words; agreements/agreement-due.ts has the dates. */
export const agreementDue = {
  silence_reminder: '7, 14 and 21 silent days',
  silent: '30 silent days',
  stalled_too_long: '60 silent days',
  end_reminder: '30, 14, 7, 3 and 1 days before the end; one that was missed is not sent late',
  notice_over: 'the day of the notice',
  term_over: 'the end of the term',
} as const satisfies Readonly<Record<AgreementDue, string>>
export type AgreementDue = Extract<(typeof rows)[number], { due: string }>['due']

export const agreementEvents = [...new Set(rows.map(({ event }) => event))] as readonly AgreementEventName[]

/** Waits for signatures. */
export const unsignedStates = ['offered', 'partially_signed', 'negotiation'] as const
/** Not ended, not executed. */
export const openAgreementStates = [...unsignedStates, 'stalled'] as const
/** Executed, and of force while its term lasts: an open amendment takes nothing away. */
export const executedStates = ['executed', 'amended'] as const

export const agreementStateNames: Readonly<Record<AgreementState, string>> = {
  offered: 'Waiting for signatures',
  partially_signed: 'Signed by one side',
  negotiation: 'Being negotiated',
  stalled: 'Stalled after 30 silent days',
  withdrawn: 'Withdrawn',
  void: 'Void',
  executed: 'In force',
  amended: 'In force, an amendment is open',
  superseded: 'Replaced by an amendment',
  expired: 'Expired',
  terminated: 'Terminated',
}
