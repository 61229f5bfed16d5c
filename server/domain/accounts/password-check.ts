/** Comparing a signed-in person's password, counted like a sign-in. */
import type { Account } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Realm } from '../../contract/portal/realms.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import * as throttle from './throttle.ts'
import { type Attempt, networkOf, type Throttled } from './throttle.ts'

/**
 * Attempts at one account's password from one network. Demonstration sign-ins are published: other people's
 * guesses must not lock them.
 */
export function passwordAttempts(
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
 * @returns null when the password is the account's
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
