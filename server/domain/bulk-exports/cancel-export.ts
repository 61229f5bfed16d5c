/** Cancels an export, for the app, the practice or operations. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'

/** The end of an export before its time, as its row has it. */
const cancelledAt = (now: Date) => ({
  state: 'cancelled' as const,
  runningPracticeId: null,
  endedAt: now,
  manifest: null,
})

/**
 * Its files are not served from here on. They are removed by the caller that cancels, by a run under way, or at last by the
 * tick.
 * @returns false when it was cancelled before
 */
export async function cancelExport(db: Pick<Prisma.TransactionClient, 'bulkExport'>, id: string, now: Date) {
  const { count } = await db.bulkExport.updateMany({
    where: { id, state: { in: ['running', 'complete', 'failed'] } },
    data: cancelledAt(now),
  })
  return count === 1
}

// Cancels exports of a practice that no longer authorizes backend systems. A run that is under way stops by itself at
// its next look, and removes what it wrote.

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
