/** Cancels an export, for the app, the practice or operations. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'

/** The end of an export before its time, as its row has it. */
export const cancelledAt = (now: Date) => ({
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
export async function cancelExport(
  db: Pick<Prisma.TransactionClient, 'bulkExport'>,
  id: string,
  now: Date,
): Promise<boolean> {
  const { count } = await db.bulkExport.updateMany({
    where: { id, state: { in: ['running', 'complete', 'failed'] } },
    data: cancelledAt(now),
  })
  return count === 1
}
