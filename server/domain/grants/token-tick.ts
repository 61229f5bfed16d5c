/** Tick: rows whose time is over. Kept a day longer, so that what is refused can still be told by its cause. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'

const keptMs = 86_400_000
const attemptsKeptMs = 30 * 86_400_000

export function createTokenTick({ prisma }: { prisma: PrismaClient }) {
  /** @returns how many rows went */
  return async function deleteExpired(now: Date): Promise<number> {
    const over = { expiresAt: { lte: new Date(now.getTime() - keptMs) } }
    const counts = [
      await prisma.accessToken.deleteMany({ where: over }),
      await prisma.refreshToken.deleteMany({ where: over }),
      await prisma.authorizationCode.deleteMany({ where: over }),
      await prisma.usedAssertion.deleteMany({ where: { expiresAt: { lte: now } } }),
      await prisma.assertionAttempt.deleteMany({
        where: { at: { lte: new Date(now.getTime() - attemptsKeptMs) } },
      }),
    ]
    return counts.reduce((sum, { count }) => sum + count, 0)
  }
}
