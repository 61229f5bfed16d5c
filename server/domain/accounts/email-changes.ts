/**
 * Another mail address for an account (workflows §1): asked for with the password, in force once somebody who reads
 * the new address's mail gives the password again. The old address is told at both steps.
 */
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import type { PortalSession } from '../../auth/sessions.ts'
import { Problem } from '../../contract/http/problems.ts'
import { paths } from '../../contract/portal/paths.ts'
import { normalizeEmail } from '../../contract/text/email-address.ts'
import { accountWorkflow } from '../../contract/workflows/workflows.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import type { Context } from '../actor.ts'
import { sendAccountExists } from './account-exists.ts'
import { accountState } from './account-state.ts'
import type { AccountCore } from './dependencies.ts'
import { maskEmail } from './mask-email.ts'
import { createPasswordCheck } from './password-check.ts'
import { networkOf, type Throttled } from './throttle.ts'

export const emailChangeHours = 24

type ConfirmEmailAnswer =
  | { kind: 'changed' }
  /** The link is live, the password is not the account's. */
  | { kind: 'refused' }
  /** The address became another account's meanwhile. */
  | { kind: 'taken' }
  | { kind: 'expired' | 'used' | 'unknown' }
  | Throttled

export function createEmailChanges(core: AccountCore) {
  const { prisma, clock, mail, portalAudit, linkTokens, sessions, throttle } = core
  const checkPassword = createPasswordCheck(core)

  /**
   * Sends the link to the new address and word to the old one. An address that has an account gets a mail that says
   * so; the answer is the same. An earlier change that waits is replaced.
   * @throws Problem `validation` (it is the account's address), `forbidden` (demonstration sign-in),
   *   `unavailable` (too many hashes at once), `unauthorized` (the session ended meanwhile)
   */
  async function requestEmailChange(
    input: { session: PortalSession; email: string; currentPassword: string },
    context: Context,
  ): Promise<{ kind: 'mail_sent'; cookie: string } | { kind: 'refused' } | Throttled> {
    const { session, currentPassword } = input
    const email = normalizeEmail(input.email)
    const account = await prisma.account.findUniqueOrThrow({ where: { id: session.accountId } })
    if (account.isDemo)
      throw new Problem('forbidden', { message: 'The address of a demonstration sign-in cannot be changed.' })
    if (email === account.email)
      throw new Problem('validation', { message: 'This is your address already.', field: 'email' })
    const refused = await checkPassword(account, currentPassword, context)
    if (refused) return refused
    const throttled = await throttle.take([
      { rule: 'mailNetwork', subject: [networkOf(context.ip)] },
      { rule: 'mailAddress', subject: ['change_email', account.realm, account.email] },
      { rule: 'mailAddress', subject: ['change_email', account.realm, email] },
    ])
    if (throttled) return throttled
    return prisma.$transaction(async (tx) => {
      const { cookie } = await sessions.renewAfterStepUp(session, tx)
      await recordRequest(tx, { id: account.id, email }, context)
      return { kind: 'mail_sent', cookie }
    })
  }

  async function recordRequest(
    tx: Prisma.TransactionClient,
    { id, email }: { id: string; email: string },
    context: Context,
  ): Promise<void> {
    const account = await lockAccount(tx, id)
    accountWorkflow.next(accountState(account), 'request_email_change', 'holder')
    const owner = await findOwner(tx, account, email)
    const now = clock()
    const expiresAt = new Date(now.getTime() + emailChangeHours * 3_600_000)
    const token = await linkTokens.issue(tx, { kind: 'change_email', accountId: id, expiresAt, now })
    await tx.account.update({ where: { id }, data: { pendingEmail: email } })
    await record(tx, id, 'account.email_change_requested', context)
    const { correlationId } = context
    const { name } = account
    if (owner) {
      await sendAccountExists(tx, core, owner, { correlationId })
    } else {
      await mail.enqueue(tx, {
        template: 'email-change',
        to: email,
        props: { name, expiresAt: expiresAt.toISOString() },
        links: { confirmUrl: paths.confirmEmail(token) },
        correlationId,
      })
    }
    await mail.enqueue(tx, {
      template: 'email-change-notice',
      to: account.email,
      props: { name, newAddress: maskEmail(email), at: now.toISOString(), ip: context.ip },
      correlationId,
    })
  }

  /**
   * Puts the new address in force. It takes the mail and the password: else whoever asked for the change with
   * somebody else's address could wait for its owner to press the button. Mailed links to the old address that
   * choose a password stop working.
   * @throws Problem `unavailable` (too many hashes at once); the link stays live then, and after `refused`
   */
  async function confirmEmailChange(
    { token, password }: { token: string; password: string },
    context: Context,
  ): Promise<ConfirmEmailAnswer> {
    const found = await linkTokens.check(token, 'change_email')
    if (found.kind !== 'live') return { kind: found.kind }
    const account = await prisma.account.findUniqueOrThrow({ where: { id: found.link.accountId ?? '' } })
    const refused = await checkPassword(account, password, context)
    if (refused) return refused
    return prisma
      .$transaction((tx) => recordChange(tx, account, token, context))
      .catch((error) => {
        // Somebody confirmed an account with this address in the same moment.
        if (isUniqueViolation(error)) return { kind: 'taken' }
        throw error
      })
  }

  async function recordChange(
    tx: Prisma.TransactionClient,
    { id, passwordHash }: Account,
    token: string,
    context: Context,
  ): Promise<ConfirmEmailAnswer> {
    const account = await lockAccount(tx, id)
    const email = account.pendingEmail
    if (email === null || account.passwordHash !== passwordHash) return { kind: 'expired' }
    if (await findOwner(tx, account, email)) return { kind: 'taken' }
    const taken = await linkTokens.consume(tx, token, 'change_email')
    if (taken.kind !== 'live') return { kind: taken.kind }
    accountWorkflow.next(accountState(account), 'confirm_email_change', 'holder')
    await dropUnconfirmed(tx, account, email)
    const now = clock()
    await tx.account.update({ where: { id }, data: { email, pendingEmail: null, emailVerifiedAt: now } })
    await linkTokens.withdraw(tx, { kind: 'reset_password', accountId: id, now })
    await record(tx, id, 'account.email_changed', context)
    await mail.enqueue(tx, {
      template: 'email-changed',
      to: account.email,
      props: { name: account.name, newAddress: maskEmail(email), at: now.toISOString(), ip: context.ip },
      correlationId: context.correlationId,
    })
    return { kind: 'changed' }
  }

  /** Takes back a change that waits; without one nothing happens. */
  async function cancelEmailChange(session: PortalSession, context: Context): Promise<void> {
    const id = session.accountId
    await prisma.$transaction(async (tx) => {
      const account = await lockAccount(tx, id)
      if (account.pendingEmail === null) return
      accountWorkflow.next(accountState(account), 'cancel_email_change', 'holder')
      await tx.account.update({ where: { id }, data: { pendingEmail: null } })
      await linkTokens.withdraw(tx, { kind: 'change_email', accountId: id, now: clock() })
      await record(tx, id, 'account.email_change_cancelled', context)
    })
  }

  /** The change that waits for its link to be used; null without one. */
  async function findEmailChange(accountId: string): Promise<{ email: string; expiresAt: Date } | null> {
    const live = { kind: 'change_email', consumedAt: null, replacedAt: null, expiresAt: { gt: clock() } }
    const account = await prisma.account.findUnique({
      where: { id: accountId },
      select: { pendingEmail: true, linkTokens: { where: live, select: { expiresAt: true } } },
    })
    const expiresAt = account?.linkTokens[0]?.expiresAt
    return account?.pendingEmail && expiresAt ? { email: account.pendingEmail, expiresAt } : null
  }

  /** Tick: addresses whose link has ended are forgotten. */
  async function forgetEndedChanges(now: Date): Promise<number> {
    const live = { kind: 'change_email', consumedAt: null, replacedAt: null, expiresAt: { gt: now } }
    const { count } = await prisma.account.updateMany({
      where: { pendingEmail: { not: null }, linkTokens: { none: live } },
      data: { pendingEmail: null },
    })
    return count
  }

  function record(tx: Prisma.TransactionClient, id: string, action: string, context: Context): Promise<void> {
    return portalAudit.append(tx, {
      ...portalAudit.by({ ...context, accountId: id }),
      action,
      subject: { kind: 'account', id },
    })
  }

  /** An address that nobody confirmed belongs to nobody: whoever confirms it first has it. */
  async function dropUnconfirmed(tx: Prisma.TransactionClient, { realm }: Account, email: string) {
    const unconfirmed = await tx.account.findUnique({ where: { realm_email: { realm, email } } })
    if (!unconfirmed) return
    await tx.account.delete({ where: { id: unconfirmed.id } })
    await portalAudit.append(tx, {
      ...portalAudit.system(),
      action: 'account.purged',
      subject: { kind: 'account', id: unconfirmed.id },
    })
  }

  return {
    requestEmailChange,
    confirmEmailChange,
    cancelEmailChange,
    findEmailChange,
    forgetEndedChanges,
  }
}

/** As every change of an account does, its row before its links: neither waits for the other twice. */
async function lockAccount(tx: Prisma.TransactionClient, id: string): Promise<Account> {
  await tx.$queryRaw`SELECT id FROM portal.account WHERE id = ${id}::uuid FOR UPDATE`
  return tx.account.findUniqueOrThrow({ where: { id } })
}

/** Whoever has the address for good: confirmed, or disabled. */
async function findOwner(
  tx: Prisma.TransactionClient,
  { realm }: Account,
  email: string,
): Promise<Account | null> {
  const other = await tx.account.findUnique({ where: { realm_email: { realm, email } } })
  return accountState(other) === 'unverified' ? null : other
}
