/** Who has the next step, for the subjects of all workflows; and from that, what waits for a reviewer. */
import { type AgreementState, agreementWorkflow, openAgreementStates } from './agreement-workflow.ts'
import {
  type ProductionKeyState,
  productionKeyStates,
  productionKeyWorkflow,
} from './production-key-workflow.ts'
import {
  type RegistrationState,
  waitingOn as registrationWaitsOn,
  registrationWorkflow,
} from './registration-workflow.ts'
import { type SandboxKeyState, sandboxKeyWorkflow } from './sandbox-key-workflow.ts'
import {
  type SystemAuthorizationState,
  systemAuthorizationWorkflow,
} from './system-authorization-workflow.ts'
import type { Transition } from './workflows.ts'

type WaitsOn = 'developer' | 'practice' | 'both' | 'us' | 'nobody'

type States = {
  registration: RegistrationState
  production_key_request: ProductionKeyState
  agreement: AgreementState
  sandbox_key_request: SandboxKeyState
  system_authorization: SystemAuthorizationState
}
type SubjectKind = keyof States
type WaitingOn = Readonly<{ [Kind in SubjectKind]: Readonly<Record<States[Kind], WaitsOn>> }>

const waitsOn: WaitingOn = {
  registration: registrationWaitsOn,
  production_key_request: Object.fromEntries(
    Object.entries(productionKeyStates).map(([state, { holder }]) => [state, holder]),
  ) as WaitingOn['production_key_request'],
  agreement: Object.fromEntries(
    agreementWorkflow.states.map((state) => [
      state,
      openAgreementStates.some((open) => open === state) ? 'both' : 'nobody',
    ]),
  ) as WaitingOn['agreement'],
  sandbox_key_request: {
    requested: 'us',
    manual_review: 'us',
    approved: 'us',
    needs_info: 'developer',
    ready_to_claim: 'developer',
    claim_expired: 'developer',
    declined: 'nobody',
    active: 'nobody',
  },
  system_authorization: {
    requested: 'practice',
    granted: 'nobody',
    declined: 'nobody',
    revoked: 'nobody',
  },
}

export const workflowRows: Readonly<Record<SubjectKind, readonly Transition[]>> = {
  registration: registrationWorkflow.rows,
  production_key_request: productionKeyWorkflow.rows,
  agreement: agreementWorkflow.rows,
  sandbox_key_request: sandboxKeyWorkflow.rows,
  system_authorization: systemAuthorizationWorkflow.rows,
}

export const waitingOn = <Kind extends SubjectKind>(kind: Kind, state: States[Kind]): WaitsOn =>
  waitsOn[kind][state]

/** States in which it is our turn, and the table lists a step of a reviewer. */
export function reviewStates(kind: SubjectKind): readonly string[] {
  const own: Readonly<Record<string, WaitsOn>> = waitsOn[kind]
  const reviewed = workflowRows[kind].flatMap(({ from, actors }) =>
    from !== null && actors.includes('reviewer') && own[from] === 'us' ? [from] : [],
  )
  return [...new Set(reviewed)]
}
