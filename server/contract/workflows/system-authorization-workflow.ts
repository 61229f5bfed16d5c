/**
 * What a practice says of a backend system: a developer requests access, an admin or signatory of the practice grants or
 * declines it, and may revoke it later.
 */
import { defineWorkflow, type TableRow, type Transition } from './workflows.ts'

/** What must hold before a step. The domain has a function of each name, without which it does not compile. */
export const systemAuthorizationGuards = {
  usable_at_practice: 'a backend system that may be used at the practice',
  something_granted: 'at least one of the requested scopes is granted',
  reason_given: 'a reason of 3 to 1,000 characters',
  own_sandbox: 'a backend system at the sandbox practice of its own organization',
  nothing_left: 'the app is no longer registered for anything that was granted',
} as const
type SystemAuthorizationGuard = keyof typeof systemAuthorizationGuards

/** Who gets an email. */
export const systemAuthorizationRecipients = {
  practice_admins: 'the admins of the practice that are on file; never an address that a developer gave',
  developers: 'the owners and admins of the app’s organization',
} as const
export type SystemAuthorizationRecipients = keyof typeof systemAuthorizationRecipients

export type SystemAuthorizationTransition = Transition &
  Readonly<{
    guard?: SystemAuthorizationGuard
    emails?: Readonly<Record<string, SystemAuthorizationRecipients>>
    /** Password and second step, both at most ten minutes old. To open the data asks for more than to close it. */
    stepUp?: true
  }>

const members = ['developer', 'admin', 'owner'] as const
const deciders = ['practice_admin', 'practice_signatory'] as const
/** Of the organization, which is also the practice: no one is asked, and no one gets an email. */
const own = ['admin', 'owner'] as const

// biome-ignore format: a table reads as a table
const rows = [
  { from: [null, 'declined', 'revoked'], event: 'request', actors: members, guard: 'usable_at_practice', to: 'requested', audit: 'requested', emails: { 'system-requested': 'practice_admins' } },
  { from: 'requested', event: 'grant', actors: deciders, guard: 'something_granted', to: 'granted', stepUp: true, audit: 'granted', emails: { 'system-decided': 'developers' } },
  { from: 'requested', event: 'decline', actors: deciders, guard: 'reason_given', to: 'declined', audit: 'declined', emails: { 'system-decided': 'developers' } },
  { from: 'granted', event: 'revoke', actors: deciders, guard: 'reason_given', to: 'revoked', audit: 'revoked', emails: { 'system-revoked': 'developers' } },
  { from: 'granted', event: 'end', actors: ['system'], guard: 'nothing_left', to: 'revoked', audit: 'ended' },
  { from: [null, 'requested', 'declined', 'revoked'], event: 'allow', actors: own, guard: 'own_sandbox', to: 'granted', audit: 'granted' },
  { from: 'granted', event: 'stop', actors: own, guard: 'own_sandbox', to: 'revoked', audit: 'revoked' },
] as const satisfies readonly TableRow<SystemAuthorizationTransition>[]

export const systemAuthorizationWorkflow = defineWorkflow('system authorization', rows)

export type SystemAuthorizationState = (typeof systemAuthorizationWorkflow)['states'][number]
export type SystemAuthorizationEventName = (typeof rows)[number]['event']
export const systemAuthorizationEvents = [
  ...new Set(rows.map(({ event }) => event)),
] as readonly SystemAuthorizationEventName[]
