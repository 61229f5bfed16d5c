/** Tick: rows whose time is over. Kept a day longer, so that what is refused can still be explained by its cause. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'

const keptMs = 86_400_000
const attemptsKeptMs = 30 * 86_400_000

export function createTokenTick({ prisma }: { prisma: PrismaClient }) {
  /** @returns how many rows went */
  return async function deleteExpired(now: Date): Promise<number> {
    const over = { expiresAt: { lte: new Date(now.getTime() - keptMs) } }
    const used = { expiresAt: { lte: now } }
    const expired = { at: { lte: new Date(now.getTime() - attemptsKeptMs) } }
    const counts = [
      await deleteInBatches((limit) => prisma.accessToken.deleteMany({ where: over, limit })),
      await deleteInBatches((limit) => prisma.refreshToken.deleteMany({ where: over, limit })),
      await deleteInBatches((limit) => prisma.authorizationCode.deleteMany({ where: over, limit })),
      await deleteInBatches((limit) => prisma.usedAssertion.deleteMany({ where: used, limit })),
      await deleteInBatches((limit) => prisma.assertionAttempt.deleteMany({ where: expired, limit })),
    ]
    return counts.reduce((sum, count) => sum + count, 0)
  }
}
