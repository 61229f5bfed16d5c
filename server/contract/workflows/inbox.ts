/**
 * What waits for whom. For every state of every workflow: the step that is awaited, in the words of an inbox. Who may
 * make the step is in the workflow's own table. A state that awaits no one has an empty list: it ended, or a job or
 * another workflow makes the next step, or people may leave it as it is. `inbox-duties.ts` has what is no workflow.
 */
import type { AgreementState } from './agreement-workflow.ts'
import { duties } from './inbox-duties.ts'
import type { AwaitedStep, InboxRole } from './inbox-steps.ts'
import type { ProductionKeyState } from './production-key-workflow.ts'
import type { RegistrationState } from './registration-workflow.ts'
import type { SandboxKeyState } from './sandbox-key-workflow.ts'
import type { SystemAuthorizationState } from './system-authorization-workflow.ts'
import { workflowRows } from './waiting-on.ts'

type Awaited<State extends string> = Readonly<Record<State, readonly AwaitedStep[]>>

const none: readonly AwaitedStep[] = []

const reviewRegistration = {
  event: 'request_info',
  asks: 'developer',
  // Also for a change of an app, for higher limits and for a longer term of a key.
  title: 'Review the request for {name}.',
  action: 'Review',
} as const
const claimRegistration = { ...reviewRegistration, event: 'claim' } as const
// biome-ignore format: a table reads as a table
const registration: Awaited<RegistrationState> = {
  draft: [{ event: 'submit', fact: 'submitted_incomplete', asks: 'us', title: 'Correct and submit the registration of {name}.', action: 'Correct' }],
  submitted: [claimRegistration],
  in_review: [reviewRegistration],
  needs_info: [{ event: 'resubmit', asks: 'us', title: 'Answer the reviewer’s questions about {name}.', action: 'Answer' }],
  resubmitted: [{ ...claimRegistration, title: 'Review the answers about {name}.' }],
  enabling: [{ event: 'retry', fact: 'probes_failed', asks: 'us', title: 'Enable {name}: its last check failed.', action: 'Try again' }],
  enabled: none,
  rejected: none,
  withdrawn: none,
  withdrawn_inactive: none,
  suspended: none,
  retired: none,
}

const reviewKey = {
  event: 'request_info',
  asks: 'developer',
  title: 'Review the production key {name}.',
  action: 'Review',
} as const
const claimKey = { ...reviewKey, event: 'claim' } as const
// biome-ignore format: a table reads as a table
const production_key_request: Awaited<ProductionKeyState> = {
  draft: [{ event: 'submit', asks: 'developer', title: 'Finish and submit the request for the production key {name}.', action: 'Continue' }],
  sponsor_invited: [{ event: 'confirm', asks: 'developer', title: 'Confirm or decline the request for the production key {name}.', action: 'Decide' }],
  sponsor_expired: [{ event: 'reinvite', asks: 'developer', title: 'Invite the practice again for the production key {name}.', action: 'Invite again' }],
  security_hold: [{ event: 'release', asks: 'practice', title: 'Release or close the request for the production key {name}.', action: 'Decide' }],
  // The agreement itself is in the inbox of the people who sign it.
  sponsor_confirmed: none,
  agreement_signed: none,
  agreement_executed: none,
  baa_pending: none,
  baa_half: none,
  baa_negotiation: none,
  stalled: none,
  baa_executed: [claimKey],
  in_review: [reviewKey],
  needs_info: [{ event: 'resubmit', asks: 'us', title: 'Answer the reviewer’s questions about the production key {name}.', action: 'Answer' }],
  approved: none,
  renewal_invited: [{ event: 'reconfirm', asks: 'developer', title: 'Confirm or decline the renewal of the production key {name}.', action: 'Decide' }],
  ready_to_claim: [{ event: 'reveal', named: true, asks: 'us', title: 'Claim the production key {name}.', action: 'Claim' }],
  claim_expired: [{ event: 'reissue', named: true, fact: 'reissues_left', asks: 'us', title: 'Get a new claim link for the production key {name}.', action: 'Get a link' }],
  active: none,
  rotating: none,
  // Keys that do not work are a duty of their owners.
  suspended: none,
  rejected: none,
  sponsor_declined: none,
  revoked: none,
  expired: none,
  withdrawn: none,
}

const sign = {
  event: 'sign',
  asks: 'other',
  fact: 'unsigned',
  named: true,
  title: 'Sign the {name}.',
  action: 'Sign',
} as const
const amend = {
  event: 'edit',
  asks: 'other',
  fact: 'rejected',
  title: 'Change the {name}, which was rejected.',
  action: 'Change',
} as const
const signer = {
  event: 'name_signatory',
  asks: 'us',
  title: 'Name another signatory for the {name}.',
  action: 'Name',
} as const
const signers = [
  { ...signer, side: 'developer', fact: 'developer_left' },
  { ...signer, side: 'practice', fact: 'practice_left' },
] as const
const resume = { asks: 'other', title: 'Resume the stalled {name}.', action: 'Resume' } as const
const attest = {
  event: 'attest_return',
  asks: 'other',
  fact: 'return_owed',
  title: 'Confirm the return of data under the {name}.',
  action: 'Confirm',
} as const
// biome-ignore format: a table reads as a table
const agreement: Awaited<AgreementState> = {
  offered: [sign, amend, ...signers],
  negotiation: [sign, amend, ...signers],
  partially_signed: [{ ...sign, event: 'sign_last' }, amend, ...signers],
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
  manual_review: [{ event: 'approve', asks: 'developer', title: 'Review the sandbox key {name}.', action: 'Review' }],
  needs_info: [{ event: 'resubmit', asks: 'us', title: 'Answer the reviewer’s questions about the key {name}.', action: 'Answer' }],
  approved: none,
  ready_to_claim: [{ event: 'reveal', asks: 'us', title: 'Claim the key {name}.', action: 'Claim' }],
  // No step ends it, so it would stay for good. A new request takes as long as a new link.
  claim_expired: none,
  declined: none,
  active: none,
}

// biome-ignore format: a table reads as a table
const system_authorization: Awaited<SystemAuthorizationState> = {
  requested: [{ event: 'grant', asks: 'developer', title: 'Grant or decline access for {name}.', action: 'Decide' }],
  granted: none,
  declined: none,
  revoked: none,
}

const workflows = {
  registration,
  production_key_request,
  agreement,
  sandbox_key_request,
  system_authorization,
} as const
export type WorkflowKind = keyof typeof workflows

export const inbox = { ...workflows, ...duties } as const
export type InboxKind = keyof typeof inbox
const inboxKinds = Object.keys(inbox) as readonly InboxKind[]

export const workflowKinds = Object.keys(workflows) as readonly WorkflowKind[]

export const isWorkflowKind = (kind: InboxKind): kind is WorkflowKind => Object.hasOwn(workflows, kind)

/** What the tables call the parties, as roles. Jobs and other workflows read no inbox. */
export const rolesByActor: Readonly<Record<string, InboxRole>> = {
  developer: { realm: 'developer', role: 'developer' },
  admin: { realm: 'developer', role: 'admin' },
  owner: { realm: 'developer', role: 'owner' },
  sponsor: { realm: 'practice', role: 'admin' },
  practice_admin: { realm: 'practice', role: 'admin' },
  signatory: { realm: 'practice', role: 'signatory' },
  practice_signatory: { realm: 'practice', role: 'signatory' },
  reviewer: { realm: 'staff', role: 'reviewer' },
  ops: { realm: 'staff', role: 'ops' },
}

/** Of the step that is awaited in this state: the roles that may make it, by the workflow's row where there is one. */
export function rolesOf(
  kind: InboxKind,
  state: string,
  { event, side, by }: AwaitedStep,
): readonly InboxRole[] {
  if (by !== undefined) return by
  const rows = isWorkflowKind(kind) ? workflowRows[kind] : []
  const row = rows.find((each) => each.from === state && each.event === event)
  return (row?.actors ?? [])
    .flatMap((actor) => rolesByActor[actor] ?? [])
    .filter(({ realm }) => side === undefined || realm === side)
}

/** Every awaited step with its state, for a query and for tests. */
export const awaitedSteps: readonly Readonly<{ kind: InboxKind; state: string; step: AwaitedStep }>[] =
  inboxKinds.flatMap((kind) =>
    Object.entries<readonly AwaitedStep[]>(inbox[kind]).flatMap(([state, steps]) =>
      steps.map((step) => ({ kind, state, step })),
    ),
  )
