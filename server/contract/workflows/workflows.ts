/**
 * State machines as data: every change of a state asks the table first, and a step that it does not list is a
 * conflict. A test walks every (state, event, actor) that is not listed.
 */
import { Problem } from '../http/problems.ts'

/** The role of a person at the organization concerned, or on our staff. */
export const organizationActors = [
  'visitor',
  'viewer',
  'developer',
  'admin',
  'owner',
  'reviewer',
  'ops',
  'system',
] as const
export type OrganizationActor = (typeof organizationActors)[number]
/** Where a practice is concerned, too. */
export const portalActors = [
  ...organizationActors,
  'practice_clinician',
  'practice_admin',
  'practice_signatory',
] as const
export type PortalActor = (typeof portalActors)[number]

/** `null` stands for "does not exist yet" (from) and "exists no more" (to). */
export type Transition = Readonly<{
  from: string | null
  event: string
  /** Who may do it; `system` is a job or a tick. */
  actors: readonly string[]
  /** What must hold, for the reader; the domain checks it. */
  guard?: string
  to: string | null
  /** What its audit row is called, when that is not the event's name. */
  audit?: string
  /** The rule that says when it happens by itself; the domain has a function of this name. */
  due?: string
  /** Emails that the transition sends, by their names in the catalogue. */
  mails?: readonly string[]
  /** The same, with their recipients, of workflows whose emails the engine sends. */
  emails?: Readonly<Record<string, string>>
}>

/** A row as the tables write it: a step that is the same from several states is one row. */
export type TableRow<Row extends Transition = Transition> = Omit<Row, 'from'> &
  Readonly<{ from: Row['from'] | readonly Row['from'][] }>

type StateOf<From> = From extends readonly (infer State)[] ? State : From
type StartingFrom<Row, State> = State extends unknown ? Omit<Row, 'from'> & Readonly<{ from: State }> : never
/** One transition for each state that the row starts from. */
type Expanded<Row extends TableRow> = Row extends TableRow
  ? StartingFrom<Row, Extract<StateOf<Row['from']>, Transition['from']>>
  : never

export type Workflow<Row extends Transition> = Readonly<{
  name: string
  rows: readonly Row[]
  states: readonly NonNullable<Row['from'] | Row['to']>[]
  /**
   * The state that follows.
   * @throws Problem `conflict` when the table lists no such step (for this actor).
   */
  next(
    from: Row['from'] | Row['to'],
    event: Row['event'],
    actor?: Row['actors'][number],
  ): NonNullable<Row['to']>
}>

/** Rows may carry further columns of their own. */
export function defineWorkflow<const Row extends TableRow>(
  name: string,
  table: readonly Row[],
): Workflow<Expanded<Row>> {
  const rows = table.flatMap((row) => [row.from].flat().map((from) => ({ ...row, from }) as Expanded<Row>))
  const states = new Set<string>()
  for (const row of rows) for (const state of [row.from, row.to]) if (state !== null) states.add(state)
  return {
    name,
    rows,
    states: [...states] as NonNullable<Expanded<Row>['from'] | Row['to']>[],
    next(from, event, actor) {
      const row = rows.find((candidate) => candidate.from === from && candidate.event === event)
      if (!row || row.to === null || (actor !== undefined && !row.actors.includes(actor))) {
        throw new Problem('conflict', {
          detail: `${name}: no ${event} from ${from ?? 'nothing'} by ${actor ?? 'anyone'}`,
        })
      }
      return row.to as NonNullable<Row['to']>
    },
  }
}

// biome-ignore format: a table reads as a table
export const accountWorkflow = defineWorkflow('account', [
  { from: null, event: 'sign_up', actors: ['visitor'], guard: 'valid, rate ok', to: 'unverified', mails: ['verify-email'] },
  { from: 'unverified', event: 'sign_up', actors: ['visitor'], guard: 'rate ok', to: 'unverified', mails: ['verify-email'] },
  { from: 'unverified', event: 'verify', actors: ['holder'], guard: 'token live, password right', to: 'active', mails: ['welcome'] },
  { from: 'unverified', event: 'resend', actors: ['visitor'], guard: 'at most 3 an hour', to: 'unverified', mails: ['verify-email'] },
  { from: 'active', event: 'sign_in', actors: ['holder'], guard: 'password right, not throttled', to: 'active', mails: ['new-device'] },
  { from: ['unverified', 'active'], event: 'reset_password', actors: ['holder'], guard: 'token live', to: 'active', mails: ['password-changed'] },
  { from: 'unverified', event: 'lapse', actors: ['system'], guard: '7 days', to: null },
  { from: 'active', event: 'change_password', actors: ['holder'], guard: 'current password right', to: 'active', mails: ['password-changed'] },
  { from: 'active', event: 'request_email_change', actors: ['holder'], guard: 'current password right, rate ok', to: 'active', mails: ['email-change', 'email-change-notice'] },
  { from: 'active', event: 'confirm_email_change', actors: ['holder'], guard: 'token live, password right', to: 'active', mails: ['email-changed'] },
  { from: 'active', event: 'cancel_email_change', actors: ['holder'], to: 'active' },
  { from: 'active', event: 'disable', actors: ['ops'], guard: 'reason', to: 'disabled' },
  { from: 'disabled', event: 'restore', actors: ['ops'], to: 'active' },
])

// biome-ignore format: a table reads as a table
export const invitationWorkflow = defineWorkflow('invitation', [
  { from: null, event: 'invite', actors: ['owner', 'admin'], guard: 'not a member, not invited', to: 'invited', mails: ['invitation'] },
  { from: 'invited', event: 'accept', actors: ['invitee'], guard: 'address matches, at most 7 days', to: 'accepted', mails: ['invitation-accepted'] },
  { from: 'invited', event: 'lapse', actors: ['system'], guard: '7 days', to: 'expired', mails: ['invitation-expired'] },
  { from: 'invited', event: 'cancel', actors: ['owner', 'admin'], to: 'cancelled', mails: ['invitation-cancelled'] },
  { from: 'invited', event: 'renew', actors: ['owner', 'admin'], to: 'invited', mails: ['invitation'] },
  { from: 'expired', event: 'renew', actors: ['owner', 'admin'], guard: 'not a member meanwhile', to: 'invited', mails: ['invitation'] },
  { from: 'expired', event: 'cancel', actors: ['owner', 'admin'], to: 'cancelled' },
])

const keyHolders = ['developer', 'admin', 'owner'] as const

/** A sandbox key's own life, as its dates tell it. Production keys are of production-key-workflow.ts. */
// biome-ignore format: a table reads as a table
export const keyWorkflow = defineWorkflow('sandbox key', [
  { from: null, event: 'reveal', actors: keyHolders, guard: 'a step of its request, in sandbox-key-workflow.ts', to: 'active' },
  { from: 'active', event: 'rotate', actors: keyHolders, guard: 'password at most 10 minutes old, POST; no other rotation open', to: 'rotating', mails: ['key-rotated'] },
  { from: 'active', event: 'extend', actors: keyHolders, guard: 'sandbox, last 30 days', to: 'active' },
  { from: 'active', event: 'remind', actors: ['system'], guard: '14, 7, 3, 1 days before the end, each once', to: 'active', mails: ['key-expiring'] },
  { from: 'rotating', event: 'change_grace', actors: keyHolders, guard: 'at most 7 days in total', to: 'rotating' },
  { from: ['active', 'rotating'], event: 'revoke', actors: keyHolders, to: 'revoked', mails: ['key-revoked'] },
  { from: ['active', 'rotating'], event: 'leak', actors: ['visitor'], guard: 'the SHA-256 of the key', to: 'revoked', mails: ['key-leaked'] },
  { from: 'active', event: 'expire', actors: ['system'], guard: '90 days', to: 'expired', mails: ['key-expired'] },
  { from: 'rotating', event: 'expire', actors: ['system'], guard: 'the grace is over', to: 'expired' },
])

// biome-ignore format: a table reads as a table
export const keyDraftWorkflow = defineWorkflow('key draft', [
  { from: null, event: 'inbound_mail', actors: ['visitor'], guard: 'parsed, size and rate ok', to: 'email_draft', mails: ['key-draft'] },
  { from: 'email_draft', event: 'confirm', actors: ['developer', 'admin', 'owner'], guard: 'the link of the email, signed in with its address; makes a sandbox key request', to: null },
  { from: 'email_draft', event: 'draft_lapse', actors: ['system'], guard: '72 hours', to: null },
])

export type InvitationState = (typeof invitationWorkflow)['states'][number]
