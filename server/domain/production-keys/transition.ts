/** Production keys on the engine of workflows: what an event's row names, whoever makes the step has to bring. */
import type { MailName } from '../../../emails/registry.ts'
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import {
  type ProductionKeyEventName,
  type ProductionKeyTransition,
  productionKeyWorkflow,
} from '../../contract/workflows/production-key-workflow.ts'
import type { Core } from '../core.ts'
import * as engine from '../workflow/engine.ts'
import type { ContentOf, EffectsOf, FirstOf, FirstWorkOf, WorkOf } from '../workflow/work.ts'
import { findConflict, findParty, type Party, processParty } from './parties.ts'
import { type About, writeEmails } from './recipients.ts'
import { moveClock } from './review-clock.ts'

export type Initiator = engine.Initiator
export type RequestTarget = Readonly<{
  requestId: string
  version?: number | null
  idempotencyKey?: string | null
}>
export type Data = Prisma.ProductionKeyRequestUncheckedUpdateManyInput
export type Context = engine.TransitionContext<ProductionKeyRequest, Party>

type Types = {
  tableRow: (typeof productionKeyWorkflow.rows)[number]
  subject: ProductionKeyRequest
  party: Party
  data: Data
  about: keyof About
}
export type Effects<Event> = EffectsOf<Types, Event>
export type Content<Name extends MailName> = ContentOf<Types, Name>

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
  mfaFirst: false,
  moveClock: ({ calendar }, { row, now }, effect) =>
    moveClock(row, effect as ProductionKeyTransition['clock'], calendar, now),
  auditDetail: (_, { detail, ...step }) => ({ ...step, ...detail }),
  practiceId: ({ practiceId }) => practiceId,
  write: writeEmails,
}

export function transition<Event extends ProductionKeyEventName>(
  core: Core,
  target: RequestTarget,
  ...[event, who, work]: [event: Event, who: Initiator, ...work: WorkOf<Types, Event>]
) {
  return engine.transition(core, productionKeys, toTarget(target), event, who, work as AnyWork)
}

export function transitionIn<Event extends ProductionKeyEventName>(
  core: Core,
  tx: Prisma.TransactionClient,
  target: RequestTarget,
  ...[event, who, work]: [event: Event, who: Initiator, ...work: WorkOf<Types, Event>]
) {
  return engine.transitionIn(core, productionKeys, tx, toTarget(target), event, who, work as AnyWork)
}

/** The first step: the one that makes the row. */
export function begin<Event extends FirstOf<Types>>(
  core: Core,
  tx: Prisma.TransactionClient,
  ...[event, work]: [event: Event, work: FirstWorkOf<Types, Event>]
): Promise<ProductionKeyRequest> {
  return engine.begin(core, productionKeys, tx, event, work as AnyFirst)
}

export function lock(tx: Prisma.TransactionClient, requestId: string): Promise<ProductionKeyRequest> {
  return engine.lock(productionKeys, tx, requestId)
}

type AnyWork = engine.Work<ProductionKeyRequest, Party, Data> | undefined
type AnyFirst = engine.First<ProductionKeyRequest, Data>

function toTarget({ requestId, ...target }: RequestTarget): engine.Target {
  return { id: requestId, ...target }
}
