/** Registrations on the engine of workflows: what an event's row names, whoever makes the step has to bring. */
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import {
  type RegistrationClockEffects,
  type RegistrationEventName,
  type RegistrationTransition,
  registrationWorkflow,
} from '../../contract/workflows/registration-workflow.ts'
import type { Actor } from '../actor.ts'
import * as engine from '../workflow/engine.ts'
import type { EffectsOf, FirstOf, FirstWorkOf, WorkOf } from '../workflow/work.ts'
import { type ClockDays, moveClocks } from './clocks.ts'
import { findConflict, findParty, type Party, system } from './parties.ts'
import { type About, writeEmails } from './recipients.ts'

export type Core = engine.Core & Readonly<{ clockDays: ClockDays }>
export type TransitionTarget = Readonly<{
  registrationId: string
  version?: number | null
  idempotencyKey?: string | null
}>
export type Context = engine.TransitionContext<Registration, Party>

type Data = Prisma.RegistrationUncheckedUpdateManyInput
type Types = {
  tableRow: (typeof registrationWorkflow.rows)[number]
  subject: Registration
  party: Party
  data: Data
  about: About
}
export type Effects<Event> = EffectsOf<Types, Event>

const listed: readonly RegistrationTransition[] = registrationWorkflow.rows
export const registrationKind = 'registration'

export function nounOf({ clockDays }: Pick<Core, 'clockDays'>): engine.Noun<Registration, Party, Data> {
  return {
    kind: registrationKind,
    audit: 'registration',
    rows: listed,
    next: registrationWorkflow.next as (from: string | null, event: string, actor: string) => string,
    async lock(tx, id) {
      await tx.$queryRaw`SELECT 1 FROM portal.registration WHERE id = ${id}::uuid FOR UPDATE`
      return tx.registration.findUnique({ where: { id } })
    },
    update: (tx, id, data) => tx.registration.update({ where: { id }, data }),
    findParty,
    processParty: () => system,
    findConflict,
    mfaFirst: true,
    async moveClock({ calendar }, context, effect) {
      await moveClocks({ calendar, clockDays }, context, effect as RegistrationClockEffects | undefined)
      return {}
    },
    // What reviewers and operations wrote as evidence is in the event alone.
    auditDetail: (_, { from, to, codes }) => ({ from, to, codes }),
    practiceId: () => null,
    write: writeEmails,
  }
}

export function transition<Event extends RegistrationEventName>(
  core: Core,
  { registrationId: id, ...target }: TransitionTarget,
  ...[event, who, work]: [event: Event, who: engine.Initiator, ...work: WorkOf<Types, Event>]
) {
  return engine.transition(core, nounOf(core), { id, ...target }, event, who, work as AnyWork)
}

/** The first step: the one that makes the row. */
export function begin<Event extends FirstOf<Types>>(
  core: Core,
  tx: Prisma.TransactionClient,
  ...[event, work]: [event: Event, work: FirstWorkOf<Types, Event>]
): Promise<Registration> {
  return engine.begin(core, nounOf(core), tx, event, work)
}

/** Submits what was made in the same transaction, by somebody who has given the proofs that this takes. */
export async function submitMade(
  core: Core,
  { tx, row, party, now }: Context,
  actor: Actor,
  { data, ...effects }: Effects<'submit'>,
): Promise<Registration> {
  const state = registrationWorkflow.next('draft', 'submit', party.kind as never)
  const submitted = await tx.registration.update({ where: { id: row.id }, data: { ...data, state } })
  await moveClocks(core, { tx, row, now }, listed.find(({ event }) => event === 'submit')?.clock)
  const made = { row: submitted, event: 'submit', from: 'draft', party, actor, now, effects }
  await engine.record(core, nounOf(core), tx, made)
  return submitted
}

type AnyWork = engine.Work<Registration, Party, Data> | undefined
