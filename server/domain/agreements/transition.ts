/** Agreements on the engine of workflows: what an event's row names, whoever makes the step has to bring. */
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import {
  type AgreementChange,
  type AgreementEventName,
  type AgreementTransition,
  agreementWorkflow,
} from '../../contract/workflows/agreement-workflow.ts'
import type { AgreementKind, SigningSide } from '../../contract/workflows/agreements.ts'
import { withRetry } from '../../store/with-retry.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import * as engine from '../workflow/engine.ts'
import type { FirstOf, FirstWorkOf, WorkOf } from '../workflow/work.ts'
import type { AgreementTarget } from './agreement-types.ts'
import { type AgreementParty, findAgreementParty, systemParty } from './parties.ts'
import { type About, writeEmails } from './recipients.ts'

type Data = Prisma.AgreementUncheckedUpdateManyInput
type Types = {
  tableRow: (typeof agreementWorkflow.rows)[number]
  subject: Agreement
  party: AgreementParty
  data: Data
  about: About
}
export type Context = engine.TransitionContext<Agreement, AgreementParty>
export type Initiator = engine.Initiator<AgreementParty>
type Call<Event> = [event: Event, who: Initiator, ...work: WorkOf<Types, Event>]

export const agreementKind = 'agreement'
const rows: readonly AgreementTransition[] = agreementWorkflow.rows

export function nounOf(core: Core): engine.Noun<Agreement, AgreementParty, Data> {
  return {
    kind: agreementKind,
    audit: 'agreement',
    rows,
    next: agreementWorkflow.next as (from: string | null, event: string, actor: string) => string,
    lock: findLocked,
    update: (tx, id, { updatedAt: _, ...data }: Data & { updatedAt?: unknown }) =>
      tx.agreement.update({ where: { id }, data }),
    findParty: findAgreementParty,
    processParty: () => systemParty,
    findConflict: async () => null,
    mfaFirst: false,
    moveClock: (_, { now }, effect) => (effect === 'restart' ? { activeAt: now, reminders: 0 } : {}),
    auditDetail: ({ kind, number }, { from, to, detail }) => ({ kind, from, to, number, ...detail }),
    practiceId: ({ practiceId }) => practiceId,
    write: (tx, row, email) => writeEmails(core, tx, row, email),
    tell: (tx, made) => tell(core, tx, made),
  }
}

async function findLocked(tx: Prisma.TransactionClient, id: string): Promise<Agreement | null> {
  await tx.$queryRaw`SELECT 1 FROM portal.agreement WHERE id = ${id}::uuid FOR UPDATE`
  return tx.agreement.findUnique({ where: { id } })
}

/** Requests that stand on the agreement hear of the changes that the table names. */
async function tell(
  core: Core,
  tx: Prisma.TransactionClient,
  { row, event, from, party, actor, text, now }: engine.Made<Agreement>,
): Promise<void> {
  const change = rows.find((each) => each.from === from && each.event === event)?.tells
  if (change === undefined) return
  for (const listener of core.agreementListeners)
    await listener(core, tx, {
      agreementId: row.id,
      kind: row.kind as AgreementKind,
      requestId: row.requestId,
      organizationId: row.organizationId,
      practiceId: row.practiceId,
      replacesId: row.replacesId,
      change: change as AgreementChange,
      ...(party.side ? { side: party.side as SigningSide } : {}),
      by: actor,
      ...(text ? { reason: text } : {}),
      now,
    })
}

/** Documents are drawn inside it, so it may take long. */
export function transact<T>(
  { prisma }: Pick<Core, 'prisma'>,
  make: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  return withRetry(prisma, make, { maxWait: 10_000, timeout: 30_000 })
}

export function transition<Event extends AgreementEventName>(
  core: Core,
  target: AgreementTarget,
  ...call: Call<Event>
) {
  return transact(core, (tx) => transitionIn(core, tx, target, ...call))
}

export function transitionIn<Event extends AgreementEventName>(
  core: Core,
  tx: Prisma.TransactionClient,
  target: AgreementTarget,
  ...[event, who, brought]: Call<Event>
) {
  const { agreementId: id, version = null, idempotencyKey = null } = target
  const made = brought as engine.Work<Agreement, AgreementParty, Data> | undefined
  return engine.transitionIn(core, nounOf(core), tx, { id, version, idempotencyKey }, event, who, made)
}

/** The first step: the one that makes the row. */
export function begin<Event extends FirstOf<Types>>(
  core: Core,
  tx: Prisma.TransactionClient,
  ...[event, brought]: [event: Event, work: FirstWorkOf<Types, Event>]
): Promise<Agreement> {
  return engine.begin(core, nounOf(core), tx, event, brought)
}

/**
 * For a verb that looks at the row before it makes its step.
 * @param actor null for a job or a tick
 * @throws Problem `not_found` for people who are not party to it
 */
export async function lock<Who extends Actor | null>(
  { clock }: Pick<Core, 'clock'>,
  tx: Prisma.TransactionClient,
  { agreementId }: Pick<AgreementTarget, 'agreementId'>,
  actor: Who,
): Promise<Context & Readonly<{ actor: Who }>> {
  const row = await engine.lock({ lock: findLocked }, tx, agreementId)
  const party = actor ? await findAgreementParty(tx, row, actor) : systemParty
  return { tx, row, party, actor, now: clock() }
}

/** Whether this very form was done before. @throws Problem `conflict` when its key was used for something else */
export function wasDone(
  { tx, row, party }: Context,
  { idempotencyKey = null }: AgreementTarget,
  events: readonly AgreementEventName[],
): Promise<boolean> {
  return engine.wasDone({ kind: agreementKind }, tx, {
    target: { id: row.id, idempotencyKey },
    events,
    party,
  })
}
