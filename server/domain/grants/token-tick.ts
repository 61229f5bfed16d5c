/** Tick: rows whose time is over. Kept a day longer, so that what is refused can still be explained by its cause. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Core } from '../core.ts'

const keptMs = 86_400_000
const attemptsKeptMs = 30 * 86_400_000

/** @returns how many rows went */
export async function deleteExpired({ prisma }: Core, now: Date): Promise<number> {
  const over = { expiresAt: { lte: new Date(now.getTime() - keptMs) } }
  const used = { expiresAt: { lte: now } }
  const expired = { at: { lte: new Date(now.getTime() - attemptsKeptMs) } }
  const counts = [
    await deleteInBatches((limit) => prisma.grant.deleteMany({ where: madeInPortal(over), limit })),
    await deleteInBatches((limit) => prisma.accessToken.deleteMany({ where: over, limit })),
    await deleteInBatches((limit) => prisma.refreshToken.deleteMany({ where: over, limit })),
    await deleteInBatches((limit) => prisma.authorizationCode.deleteMany({ where: over, limit })),
    await deleteInBatches((limit) => prisma.usedAssertion.deleteMany({ where: used, limit })),
    await deleteInBatches((limit) => prisma.assertionAttempt.deleteMany({ where: expired, limit })),
  ]
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Grants that stand for one token which a developer got in the portal: nobody gave them, so nothing remembers them. */
function madeInPortal(over: Prisma.AccessTokenWhereInput): Prisma.GrantWhereInput {
  return { audience: { not: 'backend' }, accessTokens: { some: { issuedById: { not: null }, ...over } } }
}
