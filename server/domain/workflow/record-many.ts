/** What the engine writes about a step, for one that a process makes on many rows at once and that sends no email. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { auditEntryOf, type Noun, type Party, type Row, rowOf } from './engine.ts'

type Steps<Subject> = Readonly<{
  rows: readonly Subject[]
  event: string
  from: string
  now: Date
}>

export async function recordMany<Subject extends Row, Who extends Party>(
  portalAudit: PortalAudit,
  noun: Noun<Subject, Who, never>,
  tx: Prisma.TransactionClient,
  { rows, event, from, now }: Steps<Subject>,
): Promise<void> {
  if (rowOf(noun, from, event)?.emails)
    throw new Error(`${noun.audit}.${event} sends emails: make it one by one`)
  const { kind: actorKind } = noun.processParty('system')
  await tx.workflowEvent.createMany({
    data: rows.map(({ id, state: to }) => ({
      subjectKind: noun.kind,
      subjectId: id,
      at: now,
      event,
      from,
      to,
      actorKind,
    })),
  })
  const step = { event, from, codes: [], detail: {} }
  const entries = rows.map((row) => ({ ...portalAudit.system(), ...auditEntryOf(noun, row, step) }))
  await portalAudit.appendMany(tx, entries)
}
