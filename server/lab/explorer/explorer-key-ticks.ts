/** What time does to the explorer's keys: sealed secrets go at once, the keys when their activity is of no use. */
import { limits } from '../../contract/http/limits.ts'
import type { Core } from '../../domain/core.ts'
import { explorerSessionSql } from '../../store/explorer-session.ts'

const dayMs = 86_400_000
/** The reason that the key's activity shows later. */
const overReason = 'The session it was minted for is over.'

/**
 * Tick. A key whose session is over has stopped with it: here it is only written down, and its secret forgotten.
 * @returns how many keys ended, and how many are forgotten altogether
 */
export async function tidyKeys({ prisma }: Core, now: Date): Promise<{ ended: number; forgotten: number }> {
  const ended = await prisma.$executeRawUnsafe(
    `UPDATE portal.api_key k SET revoked_at = $1::timestamptz, revoke_reason = $2
       WHERE k.explorer AND k.revoked_at IS NULL AND k.expires_at > $1::timestamptz
         AND NOT ${explorerSessionSql('k', '$1::timestamptz')}`,
    now,
    overReason,
  )
  await prisma.$executeRaw`
      DELETE FROM portal.explorer_key e WHERE e.expires_at <= ${now}::timestamptz
        OR NOT EXISTS (SELECT 1 FROM portal.api_key k WHERE k.id = e.key_id AND k.revoked_at IS NULL)`
  const before = new Date(now.getTime() - limits.explorerCallDays * dayMs)
  const { count } = await prisma.apiKey.deleteMany({
    where: { explorer: true, expiresAt: { lte: before } },
  })
  return { ended, forgotten: count }
}
