/** Deletes the explorer's expired tokens at once, and their grants when nothing refers to them any more. */
import type { Core } from '../../domain/core.ts'
import { explorerGrantSql } from '../../store/explorer-grant.ts'
import { explorerClients } from './explorer-token-people.ts'

const dayMs = 86_400_000
const grantsKeptDays = 30

/**
 * Tick. A token whose session is over has stopped with it: here it is only written down, and the token forgotten.
 * @returns how many grants ended, and how many are forgotten altogether
 */
export async function tidyTokens({ prisma }: Core, now: Date): Promise<{ ended: number; forgotten: number }> {
  const ended = await prisma.$executeRawUnsafe(
    `UPDATE portal."grant" g SET revoked_at = $1::timestamptz, revoke_reason = 'explorer'
       FROM portal.practice p WHERE p.id = g.practice_id AND g.explorer_session_id IS NOT NULL
         AND g.revoked_at IS NULL AND NOT ${explorerGrantSql('$1::timestamptz')}`,
    now,
  )
  await prisma.explorerToken.deleteMany({
    where: { OR: [{ expiresAt: { lte: now } }, { grant: { revokedAt: { not: null } } }] },
  })
  const { count } = await prisma.grant.deleteMany({
    where: {
      clientId: { in: Object.values(explorerClients).map(({ id }) => id) },
      createdAt: { lte: new Date(now.getTime() - grantsKeptDays * dayMs) },
    },
  })
  return { ended, forgotten: count }
}
