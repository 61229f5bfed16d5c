/** Sign-in, and entering the password again. A refusal does not disclose whether the account exists. */
import type { Account } from '../../../prisma/generated/client/client.ts'
import type { PortalSession } from '../../auth/sessions.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Realm } from '../../contract/portal/realms.ts'
import { normalizeEmail } from '../../contract/text/email-address.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import { accountState } from './account-state.ts'
import { openSession } from './sessions.ts'
import * as throttle from './throttle.ts'
import { type Attempt, networkOf, type Throttled } from './throttle.ts'

type SignInAnswer =
  | { kind: 'signed_in'; cookie: string; accountId: string }
  | { kind: 'refused' }
  /** Returned only after the right password. */
  | { kind: 'unverified' }
  | { kind: 'busy'; retryAfterSeconds: number }
  | Throttled

export async function signIn(
  core: Core,
  input: { realm: Realm; email: string; password: string; practiceId?: string },
  context: Context,
): Promise<SignInAnswer> {
  const { prisma, passwords, log } = core
  const { realm, password } = input
  const email = normalizeEmail(input.email)
  const found = await prisma.account.findUnique({ where: { realm_email: { realm, email } } })
  const account = found && maySignIn(core, found) ? found : null
  const attempts = passwordAttempts({ realm, email, isDemo: account?.isDemo ?? false }, context.ip)
  const throttled = await throttle.take(core, attempts)
  if (throttled) return logged(throttled)
  const verdict = await passwords.verify(account?.passwordHash ?? null, password)
  if (verdict !== 'wrong') await throttle.giveBack(core, attempts)
  if (verdict === 'busy') return logged({ kind: 'busy', retryAfterSeconds: passwords.busyRetryAfterSeconds })
  if (verdict === 'wrong' || !account) return logged({ kind: 'refused' })
  if (!account.emailVerifiedAt) return logged({ kind: 'unverified' })
  const cookie = await prisma.$transaction((tx) => openSession(core, tx, account, context, input.practiceId))
  return logged({ kind: 'signed_in', cookie, accountId: account.id })

  /** The log has no address: the correlation id is enough to find it. */
  function logged<Answer extends SignInAnswer>(answer: Answer): Answer {
    log.info({ realm, outcome: answer.kind, correlationId: context.correlationId }, 'sign-in')
    return answer
  }
}

const maySignIn = ({ env }: Core, account: Account): boolean =>
  accountState(account) !== 'disabled' && (!account.isDemo || env.demoSignIns)

/**
 * Checks the password again before a sensitive step. The session goes on under a new id.
 * @throws Problem `unavailable` (too many hashes at once), `unauthorized` (the session ended meanwhile)
 */
export async function stepUp(
  core: Core,
  { session, password }: { session: PortalSession; password: string },
  context: Context,
): Promise<{ kind: 'done'; cookie: string } | { kind: 'refused' } | Throttled> {
  const { prisma, sessions, portalAudit } = core
  const account = await prisma.account.findUniqueOrThrow({ where: { id: session.accountId } })
  const refused = await checkPassword(core, account, password, context)
  if (refused) return refused
  return prisma.$transaction(async (tx) => {
    const { cookie } = await sessions.renewAfterStepUp(session, tx)
    await portalAudit.append(tx, {
      ...portalAudit.by({ ...context, accountId: account.id }),
      action: 'account.stepped_up',
      subject: { kind: 'session', id: session.id },
    })
    return { kind: 'done', cookie }
  })
}

// Password checks of signed-in people count like sign-ins.

/**
 * Attempts at one account's password from one network. Demonstration passwords are public, so other people's wrong
 * attempts must not lock these accounts.
 */
function passwordAttempts(
  { realm, email, isDemo }: { realm: Realm; email: string; isDemo: boolean },
  ip: string,
): Attempt[] {
  const network = networkOf(ip)
  if (isDemo) return [{ rule: 'signInDemo', subject: [network] }]
  return [
    { rule: 'signInNetwork', subject: [network] },
    { rule: 'signIn', subject: [realm, email, network] },
  ]
}

/**
 * @returns null if the password is right
 * @throws Problem `unavailable` (too many hashes at once)
 */
export async function checkPassword(
  core: Core,
  account: Pick<Account, 'realm' | 'email' | 'passwordHash' | 'isDemo'>,
  password: string,
  context: Context,
): Promise<{ kind: 'refused' } | Throttled | null> {
  const { passwords } = core
  const attempts = passwordAttempts(account, context.ip)
  const throttled = await throttle.take(core, attempts)
  if (throttled) return throttled
  const verdict = await passwords.verify(account.passwordHash, password)
  if (verdict === 'wrong') return { kind: 'refused' }
  await throttle.giveBack(core, attempts)
  if (verdict === 'right') return null
  throw new Problem('unavailable', { retryAfterSeconds: passwords.busyRetryAfterSeconds })
}
