/**
 * Derives from a workflow's table, as types, the guards and email contents that each step must provide: a call without
 * them does not compile. `stepsOf` returns a noun's functions with these types.
 */
import type { MailLink, MailName, MailProps } from '../../../emails/registry.ts'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { Transition } from '../../contract/workflows/workflows.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import * as engine from './engine.ts'

/** The types of one noun. */
export type NounTypes = Readonly<{
  /** The literal type of its table's rows. */
  tableRow: Transition
  subject: engine.Row
  party: engine.Party
  data: unknown
  /** Names of the props that all emails about the noun share. */
  about: string
}>

type RowOf<Noun extends NounTypes, Event> = Extract<Noun['tableRow'], { event: Event }>
type GuardOf<Noun extends NounTypes, Event> = Extract<RowOf<Noun, Event>, { guard: string }>['guard']
type KeysOf<Emails> = Emails extends object ? keyof Emails : never
type EmailOf<Noun extends NounTypes, Event> = KeysOf<
  Extract<RowOf<Noun, Event>, { emails: object }>['emails']
> &
  MailName

/** An email's props, without the shared ones. If the parties have sides, each side may get its own. */
export type ContentOf<Noun extends NounTypes, Name extends MailName> =
  | (OwnProps<Noun, Name> &
      ([MailLink<Name>] extends [never] ? unknown : { links: Record<MailLink<Name>, string> }))
  | (Noun['party'] extends { side: infer Side }
      ? Readonly<{ bySide: (side: NonNullable<Side>) => OwnProps<Noun, Name> }>
      : never)
type OwnProps<Noun extends NounTypes, Name extends MailName> = Omit<MailProps<Name>, Noun['about']>
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

type FindEffects<Noun extends NounTypes, Event> = (
  context: ContextOf<Noun>,
) => EffectsOf<Noun, Event> | Promise<EffectsOf<Noun, Event>>

type Work<Noun extends NounTypes, Event> = Readonly<
  ([GuardOf<Noun, Event>] extends [never]
    ? unknown
    : { guards: Record<GuardOf<Noun, Event>, (context: ContextOf<Noun>) => void | Promise<void>> }) &
    ([EmailOf<Noun, Event>] extends [never]
      ? { effects?: FindEffects<Noun, Event> }
      : { effects: FindEffects<Noun, Event> })
>

/** May be left out only if the table's row requires nothing. */
type WorkOf<Noun extends NounTypes, Event> =
  Record<never, never> extends Work<Noun, Event> ? [work?: Work<Noun, Event>] : [work: Work<Noun, Event>]

/** Events that create the row. */
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

/** The target of a step, whose id has the noun's own name: `requestId`, `agreementId`, … */
export type TargetOf<Key extends string, Subject = never> = Readonly<Record<Key, string>> &
  Omit<engine.Target<Subject>, 'id'>

/**
 * Returns the functions that make the steps of a noun.
 * @param key the name of a row's id in the functions' targets
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

    /** Like `transition`, but in the caller's transaction, which may have created the row. */
    transitionIn: <Name extends Event>(
      core: Core,
      tx: Prisma.TransactionClient,
      target: Target,
      ...call: Call<Name>
    ) => engine.transitionIn(core, noun, tx, toTarget(target), ...toCall(call)),

    /** Makes the first step, which creates the row. */
    begin: <Name extends FirstOf<Noun>>(
      core: Core,
      tx: Prisma.TransactionClient,
      event: Name,
      work: FirstWorkOf<Noun, Name>,
    ): Promise<Noun['subject']> =>
      engine.begin(core, noun, tx, event, work as engine.First<Noun['subject'], Noun['data']>),
  }
}
