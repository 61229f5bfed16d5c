/** System authorizations on the engine of workflows: what an event's row names, whoever makes the step has to bring. */
import type { PracticeSystemAuthorization, Prisma } from '../../../prisma/generated/client/client.ts'
import {
  type SystemAuthorizationEventName,
  type SystemAuthorizationTransition,
  systemAuthorizationWorkflow,
} from '../../contract/workflows/system-authorization-workflow.ts'
import type { Core } from '../core.ts'
import * as engine from '../workflow/engine.ts'
import type { FirstOf, FirstWorkOf, WorkOf } from '../workflow/work.ts'
import { findParty, type Party, system } from './parties.ts'
import { type About, writeEmails } from './recipients.ts'

type Subject = PracticeSystemAuthorization & Readonly<{ organizationId: string | null }>
type Data = Prisma.PracticeSystemAuthorizationUncheckedUpdateManyInput
type Types = {
  tableRow: (typeof systemAuthorizationWorkflow.rows)[number]
  subject: Subject
  party: Party
  data: Data
  about: About
}
export type Initiator = engine.Initiator<Party>
type Target = Readonly<{ id: string; version?: number }>

export const ofClient = { client: { select: { organizationId: true } } } as const

export const systemAuthorizations: engine.Noun<Subject, Party, Data> = {
  kind: 'system_authorization',
  audit: 'system_authorization',
  rows: systemAuthorizationWorkflow.rows satisfies readonly SystemAuthorizationTransition[],
  next: systemAuthorizationWorkflow.next as (from: string | null, event: string, actor: string) => string,
  async lock(tx, id) {
    await tx.$queryRaw`SELECT 1 FROM portal.practice_system_authorization WHERE id = ${id}::uuid FOR UPDATE`
    const row = await tx.practiceSystemAuthorization.findUnique({ where: { id }, include: ofClient })
    return row && toSubject(row)
  },
  update: async (tx, id, { updatedAt: _, ...data }: Data & { updatedAt?: unknown }) =>
    toSubject(await tx.practiceSystemAuthorization.update({ where: { id }, data, include: ofClient })),
  findParty,
  processParty: () => system,
  findConflict: async () => null,
  mfaFirst: true,
  moveClock: () => ({}),
  auditDetail: ({ clientId, scope, reason }, { from, to }) => ({ from, to, clientId, scope, reason }),
  practiceId: ({ practiceId }) => practiceId,
  write: writeEmails,
}

export function transitionIn<Event extends SystemAuthorizationEventName>(
  core: Core,
  tx: Prisma.TransactionClient,
  target: Target,
  ...[event, who, work]: [event: Event, who: Initiator, ...work: WorkOf<Types, Event>]
) {
  const made = work as engine.Work<Subject, Party, Data> | undefined
  return engine.transitionIn(core, systemAuthorizations, tx, target, event, who, made)
}

/** The first step: the one that makes the row. */
export function begin<Event extends FirstOf<Types>>(
  core: Core,
  tx: Prisma.TransactionClient,
  ...[event, work]: [event: Event, work: FirstWorkOf<Types, Event>]
): Promise<Subject> {
  return engine.begin(core, systemAuthorizations, tx, event, work)
}

export async function make(
  tx: Prisma.TransactionClient,
  data: Prisma.PracticeSystemAuthorizationUncheckedCreateInput,
): Promise<Subject> {
  return toSubject(await tx.practiceSystemAuthorization.create({ data, include: ofClient }))
}

export function toSubject({
  client,
  ...row
}: PracticeSystemAuthorization & { client: { organizationId: string | null } }): Subject {
  return { ...row, organizationId: client.organizationId }
}
