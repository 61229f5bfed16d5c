/**
 * Sign-up and confirmation of the address. A known address gets the same response after the same work as a new one: one
 * hash, one transaction, one email. Only the email differs, and only the owner of the address sees it.
 */
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import { isSignUpBrowser, signUpCookie } from '../../auth/sign-up-cookie.ts'
import { Problem } from '../../contract/http/problems.ts'
import { findPasswordFault } from '../../contract/portal/password-rules.ts'
import { normalizeEmail } from '../../contract/text/email-address.ts'
import { accountWorkflow } from '../../contract/workflows/workflows.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { accountState } from './account-state.ts'
import { sendAccountExists, sendVerifyLink } from './links.ts'
import { openSession } from './sessions.ts'
import { checkPassword } from './sign-in.ts'
import * as throttle from './throttle.ts'
import { networkOf, type Throttled } from './throttle.ts'

type VerifyAnswer =
  | { kind: 'verified'; accountId: string; cookies: string[] }
  /** The link is live, but the password is not the one from its sign-up. */
  | { kind: 'refused' }
  | { kind: 'expired' | 'used' | 'unknown' }
  | Throttled

/**
 * Creates a developer's account, or emails the owner of the address that the account exists.
 * @returns a Set-Cookie that marks this browser, the same kind for every address
 * @throws Problem `validation` (password), `unavailable` (too many hashes at once)
 */
export async function signUp(
  core: Core,
  input: { name: string; email: string; password: string },
  context: Context,
): Promise<{ kind: 'mail_sent'; cookie: string } | Throttled> {
  const { passwords, prisma } = core
  const email = normalizeEmail(input.email)
  const fault = findPasswordFault(input.password, email)
  if (fault) throw new Problem('validation', { message: fault, field: 'password' })
  const refused = await throttle.take(core, [
    { rule: 'mailNetwork', subject: [networkOf(context.ip)] },
    { rule: 'mailAddress', subject: ['sign_up', email] },
  ])
  if (refused) return refused
  const passwordHash = await passwords.hash(input.password)
  const record = () =>
    prisma.$transaction((tx) => recordSignUp(core, tx, { name: input.name, email, passwordHash }, context))
  await record().catch((error) => {
    if (!isUniqueViolation(error)) throw error
    return record() // two concurrent sign-ups of one address: the second one finds the first
  })
  return { kind: 'mail_sent', cookie: signUpCookie(core, { email, passwordHash }) }
}

async function recordSignUp(
  core: Core,
  tx: Prisma.TransactionClient,
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string },
  context: Context,
): Promise<void> {
  const { clock, portalAudit } = core
  // The lock keeps the address from being confirmed before the new password is stored.
  await tx.$queryRaw`
      SELECT id FROM portal.account WHERE realm = 'developer' AND email = ${email} FOR UPDATE`
  const known = await tx.account.findUnique({ where: { realm_email: { realm: 'developer', email } } })
  const state = accountState(known)
  if (known && state !== 'unverified') {
    await answerKnown(core, tx, known, context)
    return
  }
  accountWorkflow.next(state, 'sign_up', 'visitor')
  // While an address is unconfirmed, the latest sign-up counts: it can be confirmed by the person who gets its email and
  // knows its password.
  const account = known
    ? await tx.account.update({ where: { id: known.id }, data: { name, passwordHash, createdAt: clock() } })
    : await tx.account.create({
        data: { realm: 'developer', email, name, passwordHash, createdAt: clock() },
      })
  await portalAudit.append(tx, {
    ...portalAudit.visitor(context),
    action: 'account.signed_up',
    subject: { kind: 'account', id: account.id },
    detail: { again: known !== null },
  })
  await sendVerifyLink(core, tx, account, context)
}

async function answerKnown(core: Core, tx: Prisma.TransactionClient, account: Account, context: Context) {
  const { portalAudit } = core
  await portalAudit.append(tx, {
    ...portalAudit.visitor(context),
    action: 'account.sign_up_repeated',
    subject: { kind: 'account', id: account.id },
  })
  await sendAccountExists(core, tx, account, { correlationId: context.correlationId })
}

/**
 * Confirms the address and signs in. It needs the link, and the password or the browser of the sign-up: with the link
 * alone, a person could sign up with another person's address, and its owner would confirm a password that they never
 * chose. Of two concurrent requests one is `verified`, the other `used`.
 * @param input.cookies the request's Cookie header, for a form without a password
 * @throws Problem `unavailable` (too many hashes at once). The link stays live then, and after `refused`
 */
export async function verifyEmail(
  core: Core,
  { token, ...proof }: { token: string } & ({ password: string } | { cookies: string | null }),
  context: Context,
): Promise<VerifyAnswer> {
  const { prisma } = core
  const found = await linkTokens.check(core, token, 'verify_email')
  if (found.kind !== 'live') return { kind: found.kind }
  const account = await prisma.account.findUniqueOrThrow({ where: { id: found.link.accountId ?? '' } })
  if ('cookies' in proof) {
    if (!isSignUpBrowser(core, proof.cookies, account)) return { kind: 'refused' }
  } else {
    const refused = await checkPassword(core, account, proof.password, context)
    if (refused) return refused
  }
  return prisma.$transaction((tx) => recordVerified(core, tx, account, token, context))
}

async function recordVerified(
  core: Core,
  tx: Prisma.TransactionClient,
  { id, passwordHash }: Account,
  token: string,
  context: Context,
): Promise<VerifyAnswer> {
  const { clock, portalAudit, mail } = core
  // Like a sign-up, this locks the account before its links, so that the two can't deadlock.
  await tx.$queryRaw`SELECT id FROM portal.account WHERE id = ${id}::uuid FOR UPDATE`
  const account = await tx.account.findUnique({ where: { id } })
  // A sign-up in the meantime has replaced the password that was checked.
  if (account?.passwordHash !== passwordHash) return { kind: 'expired' }
  const taken = await linkTokens.consume(core, tx, token, 'verify_email')
  if (taken.kind !== 'live') return { kind: taken.kind }
  accountWorkflow.next(accountState(account), 'verify', 'holder')
  await tx.account.update({ where: { id }, data: { emailVerifiedAt: clock() } })
  await portalAudit.append(tx, {
    ...portalAudit.by({ ...context, accountId: id }),
    action: 'account.verified',
    subject: { kind: 'account', id },
  })
  await mail.enqueue(tx, {
    template: 'welcome',
    to: account.email,
    props: { name: account.name },
    correlationId: context.correlationId,
  })
  const cookie = await openSession(core, tx, account, context)
  return { kind: 'verified', accountId: id, cookies: [cookie, signUpCookie(core, null)] }
}
