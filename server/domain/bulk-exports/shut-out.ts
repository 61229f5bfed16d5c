/**
 * Exports that nobody may have any more: their practice lets no systems in. A run that is under way stops by itself at
 * its next look, and removes what it wrote.
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { cancelledAt } from './cancel-export.ts'

/** A practice whose records systems may export. */
export const openToSystems = {
  state: 'active',
  fhirEnabled: true,
  fhirAudiences: { has: 'backend' },
} as const satisfies Prisma.PracticeWhereInput

/** Cancels what runs at a practice, or one export, unless systems are let in. @returns how many */
export async function cancelShutOut(
  db: Pick<Prisma.TransactionClient, 'bulkExport'>,
  which: { practiceId: string } | { id: string },
  now: Date,
): Promise<number> {
  const { count } = await db.bulkExport.updateMany({
    where: { ...which, state: 'running', practice: { NOT: openToSystems } },
    data: cancelledAt(now),
  })
  return count
}
