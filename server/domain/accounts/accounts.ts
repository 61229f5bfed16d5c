import { type TourStopId, tour } from '../../contract/lab/tour.ts'
import type { Realm } from '../../contract/portal/realms.ts'
import { normalizeEmail } from '../../contract/text/email-address.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { accountState } from './account-state.ts'
import { openSession } from './sessions.ts'
import * as throttle from './throttle.ts'

export {
  cancelEmailChange,
  checkEmailChange,
  confirmEmailChange,
  findEmailChange,
  forgetEndedChanges,
  requestEmailChange,
} from './email-changes.ts'
export { findLink, requestPasswordReset, resendVerification, sendLink } from './links.ts'
export { changePassword, resetPassword } from './password-changes.ts'
export { endOtherSessions, endSession, signOut } from './sessions.ts'
export { signIn, stepUp } from './sign-in.ts'
export { signUp, verifyEmail } from './sign-up.ts'

// Demonstration accounts of the seed. Running the seed twice creates each of them once.

type DemoAccountInput = {
  realm: Realm
  email: string
  name: string
  password: string
  staffRole?: 'reviewer' | 'ops'
}

/**
 * Creates the account, or updates it.
 * @throws Error if the address belongs to a real account
 */
export async function createDemoAccount(
  { prisma, passwords, clock, portalAudit }: Core,
  input: DemoAccountInput,
): Promise<{ id: string }> {
  const { realm, name, password, staffRole = null } = input
  const email = normalizeEmail(input.email)
  const where = { realm_email: { realm, email } }
  const existing = await prisma.account.findUnique({ where })
  if (existing && !existing.isDemo)
    throw new Error(`the ${realm} account of a demonstration address is somebody's own`)
  const isSamePassword = existing && (await passwords.verify(existing.passwordHash, password)) === 'right'
  const passwordHash = isSamePassword ? existing.passwordHash : await passwords.hash(password)
  return prisma.$transaction(async (tx) => {
    const now = clock()
    const account = await tx.account.upsert({
      where,
      create: {
        realm,
        email,
        name,
        passwordHash,
        staffRole,
        isDemo: true,
        emailVerifiedAt: now,
        createdAt: now,
      },
      update: { name, passwordHash, staffRole, disabledAt: null },
      select: { id: true },
    })
    if (!existing) {
      await portalAudit.append(tx, {
        ...portalAudit.system(),
        action: 'account.demo_created',
        subject: { kind: 'account', id: account.id },
        detail: { realm },
      })
    }
    return account
  })
}

// Sign-in to a demonstration account without a password, for the tour on the machine that runs the demonstration.

/**
 * The caller must check that the request came from this machine: see http/development-pages.ts.
 * @returns the session's cookie; null if there is no such demonstration account
 */
export async function signInAtTour(core: Core, { person }: { person: TourStopId }, context: Context) {
  const { prisma, env, log } = core
  if (!env.developmentPages) return null
  const { realm, email } = tour[person]
  const account = await prisma.account.findUnique({ where: { realm_email: { realm, email } } })
  if (!account?.isDemo || accountState(account) === 'disabled') return null
  const cookie = await prisma.$transaction((tx) =>
    openSession(core, tx, account, context, undefined, { tour: true }),
  )
  log.info({ realm, outcome: 'tour', correlationId: context.correlationId }, 'sign-in')
  return cookie
}

// Deletion of unconfirmed accounts, and of sessions, links and counters that have ended.

const unverifiedDays = 7
const DAY_MS = 86_400_000

/** The tick: deletes accounts whose address was not confirmed within seven days, each in its own transaction. */
export async function purgeUnverified({ prisma, portalAudit }: Core, now: Date): Promise<number> {
  const before = new Date(now.getTime() - unverifiedDays * DAY_MS)
  // Only developers sign up. The explorer's own accounts have no address to confirm.
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
      // The condition is checked again, because the owner may have confirmed the address in the meantime.
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

/** The tick: deletes ended rows. Links stay for a month, so that the page of an old link can explain why it ended. */
export async function deleteEnded(core: Core, now: Date) {
  const { sessions } = core
  return {
    sessions: await sessions.deleteExpired(now),
    links: await linkTokens.deleteEnded(core, new Date(now.getTime() - 30 * DAY_MS)),
    throttles: await throttle.deleteOld(core, new Date(now.getTime() - DAY_MS)),
  }
}
