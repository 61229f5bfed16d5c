/**
 * What waits for whom. For every state of every workflow: the step that is awaited, in the words of an inbox. Who may
 * make the step is in the workflow's own table. A state that awaits nobody has an empty list: it ended, or a job or
 * another workflow makes the next step, or people may leave it as it is.
 */
import { type AgreementState, agreementWorkflow } from './agreement-workflow.ts'
import { type ProductionKeyState, productionKeyWorkflow } from './production-key-workflow.ts'
import { type RegistrationState, registrationWorkflow } from './registration-workflow.ts'
import { type SandboxKeyState, sandboxKeyWorkflow } from './sandbox-key-workflow.ts'
import {
  type SystemAuthorizationState,
  systemAuthorizationWorkflow,
} from './system-authorization-workflow.ts'
import type { Transition } from './workflows.ts'

/** What a row must show before a step of it is awaited. */
export const inboxFacts = {
  submitted_incomplete: 'it was submitted, and the linter found errors',
  probes_failed: 'the last attempt to enable the app failed, and no further one follows',
  reissues_left: 'the claim link was renewed fewer times than allowed',
  unsigned: 'the person named for a side may still sign, and has not signed the offered version',
  rejected: 'a side rejected the offered version',
  service_unsigned: 'a usage agreement that we have not signed',
  developer_left: 'the developer’s signatory has not signed, and may no longer sign',
  practice_left: 'the practice’s signatory has not signed, and may no longer sign',
  none_signed: 'no side has signed the offered version',
  half_signed: 'one side has signed the offered version',
  return_owed: 'the return of the data is owed, and nobody has attested it',
} as const
export type InboxFact = keyof typeof inboxFacts

export type AwaitedStep = Readonly<{
  /** Of the workflow's table; its row says who may make it. */
  event: string
  /** `{name}` is the app, the key or the agreement. */
  title: string
  /** On the button. */
  action: string
  fact?: InboxFact
  /** Only for the people whom the row names: the requester, or a side's signatory. */
  named?: true
  /** Only for people of this side. */
  side?: 'developer' | 'practice'
}>

type Awaited<State extends string> = Readonly<Record<State, readonly AwaitedStep[]>>

const none: readonly AwaitedStep[] = []

const reviewRegistration = { event: 'claim', title: 'Review the registration of {name}.', action: 'Review' }
// biome-ignore format: a table reads as a table
const registration: Awaited<RegistrationState> = {
  draft: [{ event: 'submit', fact: 'submitted_incomplete', title: 'Correct and submit the registration of {name}.', action: 'Correct' }],
  submitted: [reviewRegistration],
  in_review: [{ ...reviewRegistration, event: 'request_info' }],
  needs_info: [{ event: 'resubmit', title: 'Answer the reviewer’s questions about {name}.', action: 'Answer' }],
  resubmitted: [{ ...reviewRegistration, title: 'Review the answers about {name}.' }],
  enabling: [{ event: 'retry', fact: 'probes_failed', title: 'Enable {name}: its last check failed.', action: 'Try again' }],
  enabled: none,
  rejected: none,
  withdrawn: none,
  withdrawn_inactive: none,
  suspended: none,
  retired: none,
}

const reviewKey = { event: 'claim', title: 'Review the production key {name}.', action: 'Review' }
// biome-ignore format: a table reads as a table
const production_key_request: Awaited<ProductionKeyState> = {
  draft: [{ event: 'submit', title: 'Finish and submit the request for the production key {name}.', action: 'Continue' }],
  sponsor_invited: [{ event: 'confirm', title: 'Confirm or decline the request for the production key {name}.', action: 'Decide' }],
  sponsor_expired: [{ event: 'reinvite', title: 'Invite the practice again for the production key {name}.', action: 'Invite again' }],
  security_hold: [{ event: 'release', title: 'Release or close the request for the production key {name}.', action: 'Decide' }],
  // The agreement itself is in the inbox of the people who sign it.
  sponsor_confirmed: none,
  agreement_signed: none,
  agreement_executed: none,
  baa_pending: none,
  baa_half: none,
  baa_negotiation: none,
  stalled: none,
  baa_executed: [reviewKey],
  in_review: [{ ...reviewKey, event: 'request_info' }],
  needs_info: [{ event: 'resubmit', title: 'Answer the reviewer’s questions about the production key {name}.', action: 'Answer' }],
  approved: none,
  renewal_invited: [{ event: 'reconfirm', title: 'Confirm or decline the renewal of the production key {name}.', action: 'Decide' }],
  ready_to_claim: [{ event: 'reveal', named: true, title: 'Claim the production key {name}.', action: 'Claim' }],
  claim_expired: [{ event: 'reissue', named: true, fact: 'reissues_left', title: 'Get a new claim link for the production key {name}.', action: 'Get a link' }],
  active: none,
  rotating: none,
  suspended: none,
  rejected: none,
  sponsor_declined: none,
  revoked: none,
  expired: none,
  withdrawn: none,
}

const sign = {
  event: 'sign',
  fact: 'unsigned',
  named: true,
  title: 'Sign the {name}.',
  action: 'Sign',
} as const
const amend = {
  event: 'edit',
  fact: 'rejected',
  title: 'Change the {name}, which was rejected.',
  action: 'Change',
} as const
const signer = {
  event: 'name_signatory',
  title: 'Name another signatory for the {name}.',
  action: 'Name',
} as const
const signers = [
  { ...signer, side: 'developer', fact: 'developer_left' },
  { ...signer, side: 'practice', fact: 'practice_left' },
] as const
const counterSign = {
  event: 'counter_sign',
  fact: 'service_unsigned',
  title: 'Counter-sign the {name}.',
  action: 'Sign',
} as const
const resume = { title: 'Resume the {name}, which is stalled.', action: 'Resume' }
const attest = {
  event: 'attest_return',
  fact: 'return_owed',
  title: 'Confirm the return of data under the {name}.',
  action: 'Confirm',
} as const
// biome-ignore format: a table reads as a table
const agreement: Awaited<AgreementState> = {
  offered: [sign, amend, ...signers],
  negotiation: [sign, amend, ...signers],
  partially_signed: [{ ...sign, event: 'sign_last' }, counterSign, amend, ...signers],
  stalled: [{ ...resume, event: 'resume', fact: 'none_signed' }, { ...resume, event: 'resume_half', fact: 'half_signed' }],
  executed: none,
  amended: none,
  superseded: none,
  withdrawn: none,
  void: none,
  expired: [attest],
  terminated: [attest],
}

// biome-ignore format: a table reads as a table
const sandbox_key_request: Awaited<SandboxKeyState> = {
  requested: none,
  manual_review: [{ event: 'approve', title: 'Review the sandbox key {name}.', action: 'Review' }],
  needs_info: [{ event: 'resubmit', title: 'Answer the reviewer’s questions about the key {name}.', action: 'Answer' }],
  approved: none,
  ready_to_claim: [{ event: 'reveal', title: 'Claim the key {name}.', action: 'Claim' }],
  // No step ends it, so it would stay for good. A new request takes as long as a new link.
  claim_expired: none,
  declined: none,
  active: none,
}

// biome-ignore format: a table reads as a table
const system_authorization: Awaited<SystemAuthorizationState> = {
  requested: [{ event: 'grant', title: 'Grant or decline access for {name}.', action: 'Decide' }],
  granted: none,
  declined: none,
  revoked: none,
}

export const inbox = {
  registration,
  production_key_request,
  agreement,
  sandbox_key_request,
  system_authorization,
} as const
export type InboxKind = keyof typeof inbox

export const workflowRows: Readonly<Record<InboxKind, readonly Transition[]>> = {
  registration: registrationWorkflow.rows,
  production_key_request: productionKeyWorkflow.rows,
  agreement: agreementWorkflow.rows,
  sandbox_key_request: sandboxKeyWorkflow.rows,
  system_authorization: systemAuthorizationWorkflow.rows,
}

/** A role that somebody has in an organization, at a practice, or on our staff. */
export type InboxRole = Readonly<{ realm: 'developer' | 'practice' | 'staff'; role: string }>

/** What the tables call the parties, as roles. Jobs and other workflows read no inbox. */
const roles: Readonly<Record<string, InboxRole>> = {
  developer: { realm: 'developer', role: 'developer' },
  admin: { realm: 'developer', role: 'admin' },
  owner: { realm: 'developer', role: 'owner' },
  sponsor: { realm: 'practice', role: 'admin' },
  practice_admin: { realm: 'practice', role: 'admin' },
  practice_signatory: { realm: 'practice', role: 'signatory' },
  reviewer: { realm: 'staff', role: 'reviewer' },
  ops: { realm: 'staff', role: 'ops' },
}

/** Of the step that is awaited in this state: the roles that the workflow's row lets make it. */
export function rolesOf(kind: InboxKind, state: string, { event, side }: AwaitedStep): readonly InboxRole[] {
  const row = workflowRows[kind].find((each) => each.from === state && each.event === event)
  return (row?.actors ?? [])
    .flatMap((actor) => roles[actor] ?? [])
    .filter(({ realm }) => side === undefined || realm === side)
}

/** Every awaited step with its state, for a query and for tests. */
export const awaitedSteps: readonly Readonly<{ kind: InboxKind; state: string; step: AwaitedStep }>[] = (
  Object.keys(inbox) as InboxKind[]
).flatMap((kind) =>
  Object.entries<readonly AwaitedStep[]>(inbox[kind]).flatMap(([state, steps]) =>
    steps.map((step) => ({ kind, state, step })),
  ),
)
