/**
 * What a row of a table requires of the function that makes its step, as types: a step whose guard or whose email content is missing
 * does not compile.
 */
import type { MailLink, MailName, MailProps } from '../../../emails/registry.ts'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { Transition } from '../../contract/workflows/workflows.ts'
import type { Actor } from '../actor.ts'
import type * as engine from './engine.ts'

/** The types of one noun. */
export type NounTypes = Readonly<{
  /** Of its table, as it is written there. */
  tableRow: Transition
  subject: object
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
export type WorkOf<Noun extends NounTypes, Event> =
  Record<never, never> extends Work<Noun, Event> ? [work?: Work<Noun, Event>] : [work: Work<Noun, Event>]

/** Events that make the row. */
export type FirstOf<Noun extends NounTypes> = Extract<Noun['tableRow'], { from: null }>['event']

export type FirstWorkOf<Noun extends NounTypes, Event> = Readonly<{
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
