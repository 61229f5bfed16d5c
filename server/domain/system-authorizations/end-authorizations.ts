/**
 * Ends the authorizations of an app that is no longer registered for any of their scopes. One change of an app may end
 * many, so they are ended together. The caller's condition is the guard of the step.
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { systemAuthorizationWorkflow } from '../../contract/workflows/system-authorization-workflow.ts'
import { auditEntryOf, type Noun, type Party, type Row, rowOf } from '../workflow/engine.ts'
import { ofClient, systemAuthorizations, toSubject } from './transition.ts'

/** @param grant the grants whose authorizations end */
export async function endAuthorizations(
  tx: Prisma.TransactionClient,
  portalAudit: PortalAudit,
  grant: Prisma.GrantWhereInput,
  now: Date,
): Promise<void> {
  const rows = await tx.practiceSystemAuthorization.updateManyAndReturn({
    where: { state: 'granted', grant },
    data: {
      state: systemAuthorizationWorkflow.next('granted', 'end', 'system'),
      reason: 'The app is no longer registered for the granted scopes.',
      decidedAt: now,
      decidedById: null,
      version: { increment: 1 },
    },
    include: ofClient,
  })
  const steps = { event: 'end', from: 'granted', now } as const
  await recordMany(portalAudit, systemAuthorizations, tx, { ...steps, rows: rows.map(toSubject) })
}

// Writes the events and audit rows of a step that a process makes on many rows at once, without emails.

type Steps<Subject> = Readonly<{
  rows: readonly Subject[]
  event: string
  from: string
  now: Date
}>

async function recordMany<Subject extends Row, Who extends Party>(
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
