/** Production keys on the engine of workflows: what an event's row names, whoever makes the step has to bring. */
import type { MailLink, MailName, MailProps } from '../../../emails/registry.ts'
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import {
  type ProductionKeyEventName,
  type ProductionKeyTransition,
  productionKeyWorkflow,
} from '../../contract/production-key-workflow.ts'
import type { Actor } from '../actor.ts'
import * as engine from '../workflow/engine.ts'
import { findConflict, findParty, type Party, processParty } from './parties.ts'
import { type About, writeEmails } from './recipients.ts'
import { moveClock } from './review-clock.ts'

export type Core = engine.Core
export type Initiator = engine.Initiator
export type RequestTarget = Readonly<{
  requestId: string
  version?: number | null
  idempotencyKey?: string | null
}>
export type Data = Prisma.ProductionKeyRequestUncheckedUpdateManyInput
export type Context = engine.TransitionContext<ProductionKeyRequest, Party>

type TableRow = (typeof productionKeyWorkflow.rows)[number]
type RowOf<Event> = Extract<TableRow, { event: Event }>
type GuardOf<Event> = Extract<RowOf<Event>, { guard: string }>['guard']
type KeysOf<Emails> = Emails extends object ? keyof Emails : never
type EmailOf<Event> = KeysOf<Extract<RowOf<Event>, { emails: object }>['emails']> & MailName

/** What an email says besides what all of them say. */
export type Content<Name extends MailName> = Omit<MailProps<Name>, keyof About> &
  ([MailLink<Name>] extends [never] ? unknown : { links: Record<MailLink<Name>, string> })
type Contents<Event> = Readonly<{ [Name in EmailOf<Event>]?: Content<Name> }>

export type Effects<Event> = Omit<engine.Effects<ProductionKeyRequest, Data>, 'emails'> &
  ([EmailOf<Event>] extends [never]
    ? unknown
    : { emails: (row: ProductionKeyRequest) => Contents<Event> | Promise<Contents<Event>> })

export type Work<Event> = Readonly<
  ([GuardOf<Event>] extends [never]
    ? unknown
    : { guards: Record<GuardOf<Event>, (context: Context) => void | Promise<void>> }) &
    ([EmailOf<Event>] extends [never]
      ? { effects?: (context: Context) => Effects<Event> | Promise<Effects<Event>> }
      : { effects: (context: Context) => Effects<Event> | Promise<Effects<Event>> })
>
/** Left out only where the table asks for nothing. */
type WorkOf<Event> = Record<never, never> extends Work<Event> ? [work?: Work<Event>] : [work: Work<Event>]

export const productionKeys: engine.Noun<ProductionKeyRequest, Party, Data> = {
  kind: 'production_key_request',
  audit: 'production_key',
  rows: productionKeyWorkflow.rows satisfies readonly ProductionKeyTransition[],
  next: productionKeyWorkflow.next as (from: string | null, event: string, actor: string) => string,
  async lock(tx, id) {
    await tx.$queryRaw`SELECT 1 FROM portal.production_key_request WHERE id = ${id}::uuid FOR UPDATE`
    return tx.productionKeyRequest.findUnique({ where: { id } })
  },
  update: (tx, id, data) => tx.productionKeyRequest.update({ where: { id }, data }),
  findParty,
  processParty,
  findConflict,
  moveClock: ({ calendar }, row, effect, now) =>
    moveClock(row, effect as ProductionKeyTransition['clock'], calendar, now),
  practiceId: ({ practiceId }) => practiceId,
  write: writeEmails,
}

export function transition<Event extends ProductionKeyEventName>(
  core: Core,
  target: RequestTarget,
  ...[event, who, work]: [event: Event, who: Initiator, ...work: WorkOf<Event>]
) {
  return engine.transition(core, productionKeys, toTarget(target), event, who, work as AnyWork)
}

export function transitionIn<Event extends ProductionKeyEventName>(
  core: Core,
  tx: Prisma.TransactionClient,
  target: RequestTarget,
  ...[event, who, work]: [event: Event, who: Initiator, ...work: WorkOf<Event>]
) {
  return engine.transitionIn(core, productionKeys, tx, toTarget(target), event, who, work as AnyWork)
}

type First = Extract<TableRow, { from: null }>['event']
type FirstWork<Event extends First> = Readonly<{
  guards: Record<GuardOf<Event>, () => void | Promise<void>>
  make: () => Promise<ProductionKeyRequest>
  party: Pick<Party, 'kind' | 'accountId'>
  actor: Actor
  now: Date
}> &
  ([EmailOf<Event>] extends [never] ? unknown : { emails: () => Contents<Event> })

/** The first step: the one that makes the row. */
export async function begin<Event extends First>(
  core: Core,
  tx: Prisma.TransactionClient,
  event: Event,
  work: FirstWork<Event>,
): Promise<ProductionKeyRequest> {
  for (const guard of Object.values(work.guards) as (() => void | Promise<void>)[]) await guard()
  const row = await work.make()
  const party = { name: '', email: '', ...work.party }
  const effects = 'emails' in work ? { emails: work.emails as () => Record<string, never> } : {}
  const { actor, now } = work
  await engine.record(core, productionKeys, tx, { row, event, from: null, party, actor, now, effects })
  return row
}

export function lock(tx: Prisma.TransactionClient, requestId: string): Promise<ProductionKeyRequest> {
  return engine.lock(productionKeys, tx, requestId)
}

type AnyWork = engine.Work<ProductionKeyRequest, Party, Data> | undefined

function toTarget({ requestId, ...target }: RequestTarget): engine.Target {
  return { id: requestId, ...target }
}
