/** What an entry of an inbox says of the step it awaits. */

/** What a row must show before a step of it is awaited. */
export const inboxFacts = {
  submitted_incomplete: 'it was submitted, and the linter found errors',
  probes_failed: 'the last attempt to enable the app failed, and no further one follows',
  reissues_left: 'the claim link was renewed fewer times than allowed',
  unsigned: 'the person named for a side may still sign, and has not signed the offered version',
  rejected: 'a side rejected the offered version',
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
  /** Who asks for it. */
  asks: Asker
  /** Of a step that is in no workflow: who may make it. */
  by?: readonly InboxRole[]
}>

/**
 * The developers' organization, the practice, or Sandpiper; `other`: for developers the practice, if one is a party,
 * and for a practice the developers; `person`: who opened the subject.
 */
type Asker = 'developer' | 'practice' | 'us' | 'other' | 'person'

/** A role that a person has in an organization, at a practice, or on our staff. */
export type InboxRole = Readonly<{ realm: 'developer' | 'practice' | 'staff'; role: string }>
