/**
 * Authorizations of an app that is no longer registered for anything they grant. One change of an app may end many at
 * once, so they are ended together; the step is that of the table, its guard is the caller's condition.
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { systemAuthorizationWorkflow } from '../../contract/workflows/system-authorization-workflow.ts'
import { recordMany } from '../workflow/record-many.ts'
import { ofClient, systemAuthorizations, toSubject } from './transition.ts'

/** @param grant those whose authorizations end: nothing is left of what they allow */
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
