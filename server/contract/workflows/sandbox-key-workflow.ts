/**
 * The request for a sandbox key: checked by itself, looked at by a reviewer when something about it is unusual, then
 * claimed once with the link of an email. The first key of a new organization needs no email: the page that asks for it
 * shows it. What the key does afterwards is in `keyWorkflow` in workflows.ts.
 */
import { defineWorkflow, type TableRow, type Transition } from './workflows.ts'

/** What must hold before a step. The domain has a function of each name, without which it does not compile. */
export const sandboxKeyGuards = {
  room_for_key: 'the sandbox terms in force were accepted; the organization has at most two other keys',
  flagged: 'a row of contract/workflows/key-review.ts applies',
  reasons_named: 'at least one reason of the list',
  link_open: 'the 72 hours of the claim link are not over',
  link_over: 'the 72 hours of the claim link are over; it was renewed at most twice',
  room_again: 'the link was renewed at most twice; the organization has room for one more key',
} as const
type SandboxKeyGuard = keyof typeof sandboxKeyGuards

/** Who gets an email. */
export const sandboxKeyRecipients = { requester: 'whoever made the request' } as const
type SandboxKeyRecipients = keyof typeof sandboxKeyRecipients

export type SandboxKeyTransition = Transition &
  Readonly<{
    guard?: SandboxKeyGuard
    emails?: Readonly<Record<string, SandboxKeyRecipients>>
    /** The password, at most ten minutes old: a sandbox secret takes no second step. */
    stepUp?: 'password'
  }>

const members = ['developer', 'admin', 'owner'] as const

// biome-ignore format: a table reads as a table
const rows = [
  { from: null, event: 'request', actors: members, guard: 'room_for_key', to: 'requested', audit: 'requested', emails: { 'key-request-received': 'requester' } },
  { from: null, event: 'request_first', actors: ['owner'], guard: 'room_for_key', to: 'requested', audit: 'requested' },
  { from: 'requested', event: 'provision_first', actors: ['system'], to: 'ready_to_claim', audit: 'provisioned' },
  { from: ['requested', 'approved'], event: 'provision', actors: ['system'], to: 'ready_to_claim', audit: 'provisioned', emails: { 'key-claim': 'requester' } },
  { from: 'requested', event: 'flag', actors: ['system'], guard: 'flagged', to: 'manual_review', audit: 'flagged', emails: { 'key-request-review': 'requester' } },
  { from: 'manual_review', event: 'approve', actors: ['reviewer'], to: 'approved', audit: 'approved' },
  { from: 'manual_review', event: 'request_info', actors: ['reviewer'], guard: 'reasons_named', to: 'needs_info', audit: 'info_requested', emails: { 'key-request-needs-info': 'requester' } },
  { from: 'manual_review', event: 'decline', actors: ['reviewer'], guard: 'reasons_named', to: 'declined', audit: 'declined', emails: { 'key-request-declined': 'requester' } },
  { from: 'needs_info', event: 'resubmit', actors: members, to: 'manual_review', audit: 'resubmitted' },
  { from: 'ready_to_claim', event: 'reveal', actors: members, guard: 'link_open', to: 'active', stepUp: 'password', audit: 'revealed', emails: { 'key-revealed': 'requester' } },
  { from: 'ready_to_claim', event: 'claim_lapse', actors: ['system'], to: 'claim_expired', due: 'link_over', audit: 'claim_expired', emails: { 'key-claim-expired': 'requester' } },
  { from: 'ready_to_claim', event: 'reissue', actors: members, guard: 'link_over', to: 'ready_to_claim', audit: 'claim_reissued', emails: { 'key-claim': 'requester' } },
  { from: 'claim_expired', event: 'reissue', actors: members, guard: 'room_again', to: 'ready_to_claim', audit: 'claim_reissued', emails: { 'key-claim': 'requester' } },
] as const satisfies readonly TableRow<SandboxKeyTransition>[]

export const sandboxKeyWorkflow = defineWorkflow('sandbox key request', rows)

export type SandboxKeyState = (typeof sandboxKeyWorkflow)['states'][number]
export type SandboxKeyEventName = (typeof rows)[number]['event']
export const sandboxKeyEvents = [...new Set(rows.map(({ event }) => event))] as readonly SandboxKeyEventName[]
/** What happens by itself; keys/keys.ts says when. */
export type SandboxKeyDue = Extract<(typeof rows)[number], { due: string }>['due']
