/**
 * What a row of a table requires of the function that makes its step, as types: a step whose guard or whose email content is missing
 * does not compile. `stepsOf` gives the functions that make the steps of a noun with these types.
 */
import type { MailLink, MailName, MailProps } from '../../../emails/registry.ts'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { Transition } from '../../contract/workflows/workflows.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import * as engine from './engine.ts'

/** The types of one noun. */
export type NounTypes = Readonly<{
  /** Of its table, as it is written there. */
  tableRow: Transition
  subject: engine.Row
  party: engine.Party
  data: unknown
  /** Names of the props that its emails are given anyway. */
  about: string
}>

type RowOf<Noun extends NounTypes, Event> = Extract<Noun['tableRow'], { event: Event }>
type GuardOf<Noun extends NounTypes, Event> = Extract<RowOf<Noun, Event>, { guard: string }>['guard']
type KeysOf<Emails> = Emails extends object ? keyof Emails : never
type EmailOf<Noun extends NounTypes, Event> = KeysOf<
  Extract<RowOf<Noun, Event>, { emails: object }>['emails']
> &
  MailName

/** What an email says besides what all of them say. Where the parties have sides, it may be something else to each. */
export type ContentOf<Noun extends NounTypes, Name extends MailName> =
  | (Says<Noun, Name> &
      ([MailLink<Name>] extends [never] ? unknown : { links: Record<MailLink<Name>, string> }))
  | (Noun['party'] extends { side: infer Side }
      ? Readonly<{ bySide: (side: NonNullable<Side>) => Says<Noun, Name> }>
      : never)
type Says<Noun extends NounTypes, Name extends MailName> = Omit<MailProps<Name>, Noun['about']>
type ContentsOf<Noun extends NounTypes, Event> = Readonly<{
  [Name in EmailOf<Noun, Event>]?: ContentOf<Noun, Name>
}>

type ContextOf<Noun extends NounTypes> = engine.TransitionContext<Noun['subject'], Noun['party']>

export type EffectsOf<Noun extends NounTypes, Event> = Omit<
  engine.Effects<Noun['subject'], Noun['data']>,
  'emails'
> &
  ([EmailOf<Noun, Event>] extends [never]
    ? unknown
    : {
        emails: (row: Noun['subject']) => ContentsOf<Noun, Event> | Promise<ContentsOf<Noun, Event>>
      })

type GivenEffects<Noun extends NounTypes, Event> = (
  context: ContextOf<Noun>,
) => EffectsOf<Noun, Event> | Promise<EffectsOf<Noun, Event>>

type Work<Noun extends NounTypes, Event> = Readonly<
  ([GuardOf<Noun, Event>] extends [never]
    ? unknown
    : { guards: Record<GuardOf<Noun, Event>, (context: ContextOf<Noun>) => void | Promise<void>> }) &
    ([EmailOf<Noun, Event>] extends [never]
      ? { effects?: GivenEffects<Noun, Event> }
      : { effects: GivenEffects<Noun, Event> })
>

/** Left out only where the table asks for nothing. */
type WorkOf<Noun extends NounTypes, Event> =
  Record<never, never> extends Work<Noun, Event> ? [work?: Work<Noun, Event>] : [work: Work<Noun, Event>]

/** Events that make the row. */
type FirstOf<Noun extends NounTypes> = Extract<Noun['tableRow'], { from: null }>['event']

type FirstWorkOf<Noun extends NounTypes, Event> = Readonly<{
  guards: Record<GuardOf<Noun, Event>, () => void | Promise<void>>
  make: () => Promise<Noun['subject']>
  party: Omit<Noun['party'], 'name' | 'email'>
  actor: Actor | null
  now: Date
  text?: string
  detail?: Prisma.InputJsonObject
  idempotencyKey?: string
}> &
  ([EmailOf<Noun, Event>] extends [never] ? unknown : { emails: () => ContentsOf<Noun, Event> })

/** A row of a noun as its functions name it: `requestId`, `agreementId`, … */
export type TargetOf<Key extends string, Subject = never> = Readonly<Record<Key, string>> &
  Omit<engine.Target<Subject>, 'id'>

/**
 * The functions that make the steps of a noun.
 * @param key what its functions call the id of a row
 */
export function stepsOf<Noun extends NounTypes, Key extends string>(
  noun: engine.Noun<Noun['subject'], Noun['party'], Noun['data']>,
  key: Key,
) {
  type Event = Noun['tableRow']['event']
  type Target = TargetOf<Key, Noun['subject']>
  type Call<Name> = [event: Name, who: engine.Initiator<Noun['party']>, ...work: WorkOf<Noun, Name>]
  const toTarget = ({ [key]: id, ...target }: Target) => ({ id, ...target }) as engine.Target<Noun['subject']>
  const toCall = (call: readonly unknown[]) =>
    call as [
      string,
      engine.Initiator<Noun['party']>,
      engine.Work<Noun['subject'], Noun['party'], Noun['data']>?,
    ]

  return {
    transition: <Name extends Event>(core: Core, target: Target, ...call: Call<Name>) =>
      engine.transition(core, noun, toTarget(target), ...toCall(call)),

    /** As `transition`, in a transaction of the caller, who may have made the row in it. */
    transitionIn: <Name extends Event>(
      core: Core,
      tx: Prisma.TransactionClient,
      target: Target,
      ...call: Call<Name>
    ) => engine.transitionIn(core, noun, tx, toTarget(target), ...toCall(call)),

    /** The first step: the one that makes the row. */
    begin: <Name extends FirstOf<Noun>>(
      core: Core,
      tx: Prisma.TransactionClient,
      event: Name,
      work: FirstWorkOf<Noun, Name>,
    ): Promise<Noun['subject']> =>
      engine.begin(core, noun, tx, event, work as engine.First<Noun['subject'], Noun['data']>),
  }
}
