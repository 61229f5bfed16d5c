/**
 * A practice points at another dataset; its old one is kept for a while, for answers that have begun. As a writer of the old one: an export, which takes its lock alone, has its
 * snapshot wholly before the move or wholly after it, and never mixes the two.
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { datasetLockClass } from '../../store/locks.ts'

/**
 * @param move `replaces`: the new data is other data, so that a client that asks for what changed since an earlier time
 *   gets all of it; a copy that is the same is none
 * @returns false when the practice does not point at the old dataset any more
 */
export async function movePractice(
  tx: Prisma.TransactionClient,
  move: { practiceId: string; from: number; to: number; replaces: boolean },
): Promise<boolean> {
  const { practiceId, from, to, replaces } = move
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${datasetLockClass}::int, ${from}::int)`
  const count = await tx.$executeRaw`
    UPDATE portal.practice SET dataset_id = ${to}::int,
      data_replaced_at = CASE WHEN ${replaces}::boolean
        THEN date_trunc('milliseconds', clock_timestamp()) ELSE data_replaced_at END
    WHERE id = ${practiceId}::uuid AND dataset_id = ${from}::int`
  if (count === 1)
    await tx.$executeRaw`
    UPDATE clinical.dataset SET retired_at = clock_timestamp() WHERE id = ${from}::int AND kind = 'practice'`
  return count === 1
}
