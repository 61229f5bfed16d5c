/** What time does to accounts: addresses that nobody confirmed, sessions, links and counters that are over. */
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import * as throttle from './throttle.ts'

const unverifiedDays = 7
const DAY_MS = 86_400_000

/** Tick: accounts whose address was not confirmed within seven days go, one transaction each. */
export async function purgeUnverified({ prisma, portalAudit }: Core, now: Date): Promise<number> {
  const before = new Date(now.getTime() - unverifiedDays * DAY_MS)
  // Only developers sign up. Accounts that the explorer reads sandbox people with have no address to confirm.
  const due = {
    realm: 'developer',
    emailVerifiedAt: null,
    disabledAt: null,
    createdAt: { lte: before },
  } as const
  const accounts = await prisma.account.findMany({ where: due, select: { id: true }, take: 500 })
  let purged = 0
  for (const { id } of accounts) {
    await prisma.$transaction(async (tx) => {
      // Still unconfirmed at this moment: somebody may be pressing the button right now.
      const { count } = await tx.account.deleteMany({ where: { id, ...due } })
      if (count === 0) return
      purged += 1
      await portalAudit.append(tx, {
        ...portalAudit.system(),
        action: 'account.purged',
        subject: { kind: 'account', id },
      })
    })
  }
  return purged
}

/** Tick: rows that no longer mean anything. Links are kept a month, so that an old mail still says why. */
export async function deleteEnded(
  core: Core,
  now: Date,
): Promise<{ sessions: number; links: number; throttles: number }> {
  const { sessions } = core
  return {
    sessions: await sessions.deleteExpired(now),
    links: await linkTokens.deleteEnded(core, new Date(now.getTime() - 30 * DAY_MS)),
    throttles: await throttle.deleteOld(core, new Date(now.getTime() - DAY_MS)),
  }
}
