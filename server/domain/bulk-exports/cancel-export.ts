/** Cancels an export, for the app, the practice or operations. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'

/** The columns of a cancelled export. */
const cancelledAt = (now: Date) => ({
  state: 'cancelled' as const,
  runningPracticeId: null,
  endedAt: now,
  manifest: null,
})

/**
 * Cancels an export: its files are no longer served. The caller, the running process or the tick removes them.
 * @returns false if it was cancelled before
 */
export async function cancelExport(db: Pick<Prisma.TransactionClient, 'bulkExport'>, id: string, now: Date) {
  const { count } = await db.bulkExport.updateMany({
    where: { id, state: { in: ['running', 'complete', 'failed'] } },
    data: cancelledAt(now),
  })
  return count === 1
}

// Cancels exports of a practice that no longer allows backend systems. A running process stops at its next report and
// removes its files.

/** A practice whose records backend systems may export. */
export const openToSystems = {
  state: 'active',
  fhirEnabled: true,
  fhirAudiences: { has: 'backend' },
} as const satisfies Prisma.PracticeWhereInput

/** Cancels the running exports of a practice, or one, unless the practice allows systems. @returns their number */
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
