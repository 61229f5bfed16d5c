/**
 * Points a practice at another dataset. The old one stays for a while, for responses that have begun. The move takes the
 * old dataset's lock as a writer does. An export takes it exclusively, so its snapshot is completely before or after
 * the move.
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { datasetLockClass } from '../../store/locks.ts'

/**
 * @param move `replaces` if the data differs, so that clients who request changes since an earlier time get all of it;
 *   false for an identical copy
 * @returns false if the practice no longer points at the old dataset
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
