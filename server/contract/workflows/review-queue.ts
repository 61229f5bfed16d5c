/** The reviewers' queue: which requests are in it, and its filters. */
import { type ProductionKeyState, productionKeyStates } from './production-key-workflow.ts'
import { type RegistrationState, registrationKinds, stateNames } from './registration-workflow.ts'
import type { SandboxKeyState } from './sandbox-key-workflow.ts'
import { reviewStates } from './waiting-on.ts'

/** The kinds of requests that reviewers decide, with the labels of the queue. */
export const reviewKinds = {
  ...registrationKinds,
  production_key: 'Production key',
  sandbox_key: 'Sandbox key',
} as const
export type ReviewKind = keyof typeof reviewKinds

/** The workflow that a kind goes through. */
export type ReviewNoun = 'registration' | 'production_key_request' | 'sandbox_key_request'

export const queueViews = { all: 'All', mine: 'Mine', unassigned: 'Unassigned' } as const
export type QueueView = keyof typeof queueViews

export const queueStages = {
  waiting: 'Waiting for us',
  asked: 'Waiting for the developer',
  decided: 'Decided',
} as const
export type QueueStage = keyof typeof queueStages

type StatesOfStage = Readonly<{
  registration: readonly RegistrationState[]
  production_key_request: readonly ProductionKeyState[]
  sandbox_key_request: readonly SandboxKeyState[]
}>

/** The states of each stage. A request that was withdrawn before a decision is in none. */
export const stageStates: Readonly<Record<QueueStage, StatesOfStage>> = {
  waiting: {
    registration: reviewStates('registration') as readonly RegistrationState[],
    production_key_request: reviewStates('production_key_request') as readonly ProductionKeyState[],
    sandbox_key_request: reviewStates('sandbox_key_request') as readonly SandboxKeyState[],
  },
  asked: {
    registration: ['needs_info'],
    production_key_request: ['needs_info'],
    sandbox_key_request: ['needs_info'],
  },
  decided: {
    registration: ['enabling', 'enabled', 'rejected', 'suspended', 'retired'],
    production_key_request: [
      'approved',
      'rejected',
      'ready_to_claim',
      'claim_expired',
      'active',
      'rotating',
      'suspended',
      'revoked',
      'expired',
    ],
    sandbox_key_request: ['approved', 'declined', 'ready_to_claim', 'claim_expired', 'active'],
  },
}

/** Requests that a practice did not recognize. Only operations can decide them. */
export const heldStates: readonly ProductionKeyState[] = ['security_hold']

const sandboxKeyStateNames: Readonly<Record<SandboxKeyState, string>> = {
  requested: 'Requested',
  manual_review: 'To review',
  needs_info: 'Waiting for an answer',
  approved: 'Approved',
  ready_to_claim: 'Approved',
  claim_expired: 'Approved, not claimed',
  declined: 'Declined',
  active: 'Approved, claimed',
}

/** The name of a state that reviewers see. */
export function reviewStateName(noun: ReviewNoun, state: string): string {
  if (state === 'needs_info') return 'Waiting for an answer'
  if (noun === 'registration') return stateNames[state as RegistrationState]
  if (noun === 'production_key_request') return productionKeyStates[state as ProductionKeyState].name
  return sandboxKeyStateNames[state as SandboxKeyState]
}
