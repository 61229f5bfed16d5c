/**
 * The life of an agreement: who may move it, from where to where, with what proof. Templates are published with a
 * release; what stands here begins when one is offered to named people.
 */
import { defineWorkflow, type PortalActor, type TableRow, type Transition } from './workflows.ts'

/** What must hold before a step. The domain has a function of each name, without which it does not compile. */
export const agreementGuards = {
  signatories_named: 'each side except us has one named signatory',
  may_sign:
    'the named signatory, with the name that the document says; the side has not signed this version, nobody rejected it, and what it replaces was not ended',
  may_counter_sign: 'a usage agreement; what it replaces was not ended',
  negotiable: 'a BAA; a usage agreement is signed as it is, or withdrawn',
  signatory_left: 'on the actor’s own side, the named signatory may no longer sign, and the next one may',
  document_changed: 'the stored bytes are not those that were offered, or a newer text was published',
  upload_changed: 'the stored bytes of a party’s own document are not those that were offered',
  unsigned: 'no side has signed the version that is offered',
  half_signed: 'one side has signed the version that is offered',
  renewable: 'in the last 60 days, and nobody gave notice',
  notice_is_earlier: 'the day comes before the end of the term, and before that of a notice that was given',
  replacement_executed: 'what was to replace it is executed',
  replacement_closed: 'what was to replace it was withdrawn or is void',
  return_owed: 'a return is owed, and nobody has attested it',
} as const
export type AgreementGuard = keyof typeof agreementGuards

/** Who gets an email. */
export const agreementRecipients = {
  signers:
    'each side’s signatory except ours; if that person may no longer sign, the person responsible for that side',
  sides: 'each side’s signatory and responsible people, except ours',
  sides_and_ops: 'the same, and our operations when we are a side',
  unsigned: 'the signers of each side that has not signed, for ours our operations',
} as const
export type AgreementRecipients = keyof typeof agreementRecipients

export type AgreementTransition = Transition &
  Readonly<{
    guard?: AgreementGuard
    emails?: Readonly<Record<string, AgreementRecipients>>
    /** The days of silence are counted from here. */
    clock?: 'restart'
    /** Password at most ten minutes old, and the second factor where the realm has one. */
    stepUp?: true
    /** What requests that stand on the agreement are told. */
    tells?: string
  }>

const signers = ['owner', 'practice_admin', 'practice_signatory'] as const
const parties = ['admin', 'owner', 'practice_admin', 'practice_signatory'] as const
const enders = ['owner', 'practice_admin', 'practice_signatory', 'ops'] as const
/** Of a side, those who may say who signs for it. */
const namers = ['owner', 'practice_admin'] as const
const closers = [...parties, 'ops', 'system'] as const
const developers = ['admin', 'owner'] as const
const system = ['system'] as const

// biome-ignore format: a table reads as a table
const rows = [
  { from: null, event: 'offer', actors: [...parties, 'ops', 'system'], guard: 'signatories_named', to: 'offered', emails: { 'agreement-offered': 'signers' } },
  { from: ['offered', 'negotiation'], event: 'sign', actors: signers, guard: 'may_sign', to: 'partially_signed', clock: 'restart', stepUp: true, emails: { 'agreement-signed': 'signers' }, tells: 'signed' },
  { from: 'partially_signed', event: 'sign_last', actors: signers, guard: 'may_sign', to: 'executed', stepUp: true, emails: { 'agreement-executed': 'sides' }, tells: 'executed' },
  { from: 'partially_signed', event: 'counter_sign', actors: system, guard: 'may_counter_sign', to: 'executed', stepUp: true, emails: { 'agreement-executed': 'sides' }, tells: 'executed' },

  { from: ['offered', 'partially_signed', 'negotiation'], event: 'edit', actors: parties, guard: 'negotiable', to: 'negotiation', clock: 'restart', emails: { 'agreement-changed': 'signers' }, tells: 'renegotiated' },
  { from: ['offered', 'partially_signed', 'negotiation'], event: 'reject', actors: parties, guard: 'negotiable', to: 'negotiation', clock: 'restart', emails: { 'agreement-changed': 'signers' }, tells: 'renegotiated' },
  { from: ['offered', 'partially_signed', 'negotiation'], event: 'name_signatory', actors: namers, guard: 'signatory_left', to: 'negotiation', clock: 'restart', emails: { 'agreement-changed': 'signers' }, tells: 'renegotiated' },
  { from: ['offered', 'partially_signed', 'negotiation'], event: 'reoffer', actors: system, guard: 'document_changed', to: 'offered', clock: 'restart', emails: { 'agreement-changed': 'signers' }, tells: 'reoffered' },
  { from: ['offered', 'partially_signed', 'negotiation'], event: 'void', actors: system, guard: 'upload_changed', to: 'void', emails: { 'agreement-closed': 'sides' }, tells: 'voided' },
  { from: 'offered', event: 'remind', actors: system, to: 'offered', due: 'silence_reminder', emails: { 'agreement-reminder': 'unsigned' } },
  { from: 'partially_signed', event: 'remind', actors: system, to: 'partially_signed', due: 'silence_reminder', emails: { 'agreement-reminder': 'unsigned' } },
  { from: 'negotiation', event: 'remind', actors: system, to: 'negotiation', due: 'silence_reminder', emails: { 'agreement-reminder': 'unsigned' } },
  { from: ['offered', 'partially_signed', 'negotiation'], event: 'stall', actors: system, to: 'stalled', due: 'silent', emails: { 'agreement-stalled': 'sides' }, tells: 'stalled' },
  { from: 'stalled', event: 'resume', actors: parties, guard: 'unsigned', to: 'offered', clock: 'restart', tells: 'resumed' },
  { from: 'stalled', event: 'resume_half', actors: parties, guard: 'half_signed', to: 'partially_signed', clock: 'restart', tells: 'resumed' },
  { from: 'stalled', event: 'lapse', actors: system, to: 'withdrawn', due: 'stalled_too_long', emails: { 'agreement-closed': 'sides' }, tells: 'withdrawn' },
  { from: ['offered', 'partially_signed', 'negotiation', 'stalled'], event: 'withdraw', actors: closers, to: 'withdrawn', emails: { 'agreement-closed': 'sides' }, tells: 'withdrawn' },
  { from: 'executed', event: 'remind_expiry', actors: system, to: 'executed', due: 'end_reminder', emails: { 'agreement-expiring': 'sides' } },
  { from: 'executed', event: 'amend', actors: [...parties, 'ops'], to: 'amended', tells: 'amending' },
  { from: 'executed', event: 'renew', actors: [...parties, 'ops', 'system'], guard: 'renewable', to: 'amended', tells: 'amending' },
  { from: 'executed', event: 'give_notice', actors: enders, guard: 'notice_is_earlier', to: 'executed', stepUp: true, emails: { 'agreement-notice': 'sides_and_ops' }, tells: 'notice' },

  { from: 'amended', event: 'remind_expiry', actors: system, to: 'amended', due: 'end_reminder', emails: { 'agreement-expiring': 'sides' } },
  { from: 'amended', event: 'supersede', actors: system, guard: 'replacement_executed', to: 'superseded', tells: 'superseded' },
  { from: 'amended', event: 'drop_amendment', actors: system, guard: 'replacement_closed', to: 'executed' },
  { from: 'amended', event: 'give_notice', actors: enders, guard: 'notice_is_earlier', to: 'amended', stepUp: true, emails: { 'agreement-notice': 'sides_and_ops' }, tells: 'notice' },

  { from: ['executed', 'amended'], event: 'terminate', actors: enders, to: 'terminated', stepUp: true, emails: { 'agreement-ended': 'sides_and_ops' }, tells: 'terminated' },
  { from: ['executed', 'amended'], event: 'end_notice', actors: system, to: 'terminated', due: 'notice_over', emails: { 'agreement-ended': 'sides_and_ops' }, tells: 'terminated' },
  { from: ['executed', 'amended'], event: 'expire', actors: system, to: 'expired', due: 'term_over', emails: { 'agreement-ended': 'sides_and_ops' }, tells: 'expired' },
  { from: 'expired', event: 'attest_return', actors: developers, guard: 'return_owed', to: 'expired', stepUp: true, emails: { 'agreement-returned': 'sides' } },
  { from: 'terminated', event: 'attest_return', actors: developers, guard: 'return_owed', to: 'terminated', stepUp: true, emails: { 'agreement-returned': 'sides' } },
] as const satisfies readonly TableRow<AgreementTransition>[]

export const agreementWorkflow = defineWorkflow('agreement', rows)

export type AgreementState = (typeof agreementWorkflow)['states'][number]
export type AgreementEventName = (typeof rows)[number]['event']
export type AgreementChange = Extract<(typeof rows)[number], { tells: string }>['tells']
/** @throws Problem `conflict` when the table lists no such step for this actor */
export const requireAgreementStep = agreementWorkflow.next as (
  from: AgreementState,
  event: AgreementEventName,
  actor: PortalActor,
) => AgreementState
/** What happens by itself; agreements/due.ts says when. */
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
  stalled: 'Stalled after 30 days without activity',
  withdrawn: 'Withdrawn',
  void: 'Void',
  executed: 'In force',
  amended: 'In force, amendment open',
  superseded: 'Replaced by an amendment',
  expired: 'Expired',
  terminated: 'Terminated',
}
