/**
 * Changes the email address of an account (workflows §1). The request needs the password. The change takes effect when
 * the link sent to the new address is opened and the password is entered again. The old address is notified both times.
 */
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import type { PortalSession } from '../../auth/sessions.ts'
import { Problem } from '../../contract/http/problems.ts'
import { paths } from '../../contract/portal/paths.ts'
import { normalizeEmail } from '../../contract/text/email-address.ts'
import { accountWorkflow } from '../../contract/workflows/workflows.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { accountState } from './account-state.ts'
import { sendAccountExists } from './links.ts'
import { maskEmail } from './mask-email.ts'
import { checkPassword } from './sign-in.ts'
import { requireStepUp } from './step-up.ts'
import * as throttle from './throttle.ts'
import { networkOf, type Throttled } from './throttle.ts'

export const emailChangeHours = 24

type ConfirmEmailAnswer =
  | { kind: 'changed' }
  /** The link is live, but the password is wrong. */
  | { kind: 'refused' }
  /** Another account has the address by now. */
  | { kind: 'taken' }
  | { kind: 'expired' | 'used' | 'unknown' }
  | Throttled

/**
 * The owner of the address can reset the password, so an account with two-step sign-in must enter its code again.
 * @throws Problem `forbidden` with the field `stepUp`
 */
export function checkEmailChange({ clock }: Core, { mfaState, mfaAt }: PortalSession): void {
  const now = clock()
  if (mfaState === 'given') requireStepUp({ authenticatedAt: now, ...(mfaAt && { mfa: mfaAt }) }, now)
}

/**
 * Sends the link to the new address and a notice to the old one. If the new address has an account, its email says so,
 * with the same result here. The request replaces an earlier open one.
 * @throws Problem `validation` (it is the account's address), `forbidden` (demonstration sign-in, or as `checkEmailChange`),
 *   `unavailable` (too many hashes at once), `unauthorized` (the session ended meanwhile)
 */
export async function requestEmailChange(
  core: Core,
  input: { session: PortalSession; email: string; currentPassword: string },
  context: Context,
): Promise<{ kind: 'mail_sent'; cookie: string } | { kind: 'refused' } | Throttled> {
  const { prisma, sessions } = core
  const { session, currentPassword } = input
  const email = normalizeEmail(input.email)
  const account = await prisma.account.findUniqueOrThrow({ where: { id: session.accountId } })
  if (account.isDemo)
    throw new Problem('forbidden', { message: 'The address of a demonstration sign-in cannot be changed.' })
  if (email === account.email)
    throw new Problem('validation', { message: 'This is already your address.', field: 'email' })
  checkEmailChange(core, session)
  const refused = await checkPassword(core, account, currentPassword, context)
  if (refused) return refused
  const throttled = await throttle.take(core, [
    { rule: 'mailNetwork', subject: [networkOf(context.ip)] },
    { rule: 'mailAddress', subject: ['change_email', account.realm, account.email] },
    { rule: 'mailAddress', subject: ['change_email', account.realm, email] },
  ])
  if (throttled) return throttled
  return prisma.$transaction(async (tx) => {
    const { cookie } = await sessions.renewAfterStepUp(session, tx)
    await recordRequest(core, tx, { id: account.id, email }, context)
    return { kind: 'mail_sent', cookie }
  })
}

async function recordRequest(
  core: Core,
  tx: Prisma.TransactionClient,
  { id, email }: { id: string; email: string },
  context: Context,
): Promise<void> {
  const { clock, mail } = core
  const account = await lockAccount(tx, id)
  accountWorkflow.next(accountState(account), 'request_email_change', 'holder')
  const owner = await findOwner(tx, account, email)
  const now = clock()
  const expiresAt = new Date(now.getTime() + emailChangeHours * 3_600_000)
  const token = await linkTokens.issue(core, tx, { kind: 'change_email', accountId: id, expiresAt, now })
  await tx.account.update({ where: { id }, data: { pendingEmail: email } })
  await record(core, tx, id, 'account.email_change_requested', context)
  const { correlationId } = context
  const { name } = account
  if (owner) {
    await sendAccountExists(core, tx, owner, { correlationId })
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
 * Changes the address. It needs the link and the password: otherwise a person could enter another person's address and
 * wait for its owner to press the button. Reset links to the old address stop working, and every session ends.
 * @throws Problem `unavailable` (too many hashes at once). The link stays live then, and after `refused`
 */
export async function confirmEmailChange(
  core: Core,
  { token, password }: { token: string; password: string },
  context: Context,
): Promise<ConfirmEmailAnswer> {
  const { prisma } = core
  const found = await linkTokens.check(core, token, 'change_email')
  if (found.kind !== 'live') return { kind: found.kind }
  const account = await prisma.account.findUniqueOrThrow({ where: { id: found.link.accountId ?? '' } })
  const refused = await checkPassword(core, account, password, context)
  if (refused) return refused
  return prisma
    .$transaction((tx) => recordChange(core, tx, account, token, context))
    .catch((error) => {
      // Another account with this address was confirmed in the meantime.
      if (isUniqueViolation(error)) return { kind: 'taken' }
      throw error
    })
}

async function recordChange(
  core: Core,
  tx: Prisma.TransactionClient,
  { id, passwordHash }: Account,
  token: string,
  context: Context,
): Promise<ConfirmEmailAnswer> {
  const { clock, mail, sessions } = core
  const account = await lockAccount(tx, id)
  const email = account.pendingEmail
  if (email === null || account.passwordHash !== passwordHash) return { kind: 'expired' }
  if (await findOwner(tx, account, email)) return { kind: 'taken' }
  const taken = await linkTokens.consume(core, tx, token, 'change_email')
  if (taken.kind !== 'live') return { kind: taken.kind }
  accountWorkflow.next(accountState(account), 'confirm_email_change', 'holder')
  await dropUnconfirmed(core, tx, account, email)
  const now = clock()
  await tx.account.update({ where: { id }, data: { email, pendingEmail: null, emailVerifiedAt: now } })
  await linkTokens.withdraw(tx, { kind: 'reset_password', accountId: id, now })
  await sessions.endOthers({ accountId: id, keepSessionId: null }, tx)
  await record(core, tx, id, 'account.email_changed', context)
  await mail.enqueue(tx, {
    template: 'email-changed',
    to: account.email,
    props: { name: account.name, newAddress: maskEmail(email), at: now.toISOString(), ip: context.ip },
    correlationId: context.correlationId,
  })
  return { kind: 'changed' }
}

/** Cancels an open change, if there is one. */
export async function cancelEmailChange(core: Core, session: PortalSession, context: Context): Promise<void> {
  const { prisma, clock } = core
  const id = session.accountId
  await prisma.$transaction(async (tx) => {
    const account = await lockAccount(tx, id)
    if (account.pendingEmail === null) return
    accountWorkflow.next(accountState(account), 'cancel_email_change', 'holder')
    await tx.account.update({ where: { id }, data: { pendingEmail: null } })
    await linkTokens.withdraw(tx, { kind: 'change_email', accountId: id, now: clock() })
    await record(core, tx, id, 'account.email_change_cancelled', context)
  })
}

/** The open change; null if there is none. */
export async function findEmailChange({ clock, prisma }: Core, accountId: string) {
  const live = { kind: 'change_email', consumedAt: null, replacedAt: null, expiresAt: { gt: clock() } }
  const account = await prisma.account.findUnique({
    where: { id: accountId },
    select: { pendingEmail: true, linkTokens: { where: live, select: { expiresAt: true } } },
  })
  const expiresAt = account?.linkTokens[0]?.expiresAt
  return account?.pendingEmail && expiresAt ? { email: account.pendingEmail, expiresAt } : null
}

/** The tick: removes pending addresses whose link has ended. */
export async function forgetEndedChanges({ prisma }: Core, now: Date): Promise<number> {
  const live = { kind: 'change_email', consumedAt: null, replacedAt: null, expiresAt: { gt: now } }
  const { count } = await prisma.account.updateMany({
    where: { pendingEmail: { not: null }, linkTokens: { none: live } },
    data: { pendingEmail: null },
  })
  return count
}

function record(
  { portalAudit }: Core,
  tx: Prisma.TransactionClient,
  id: string,
  action: string,
  context: Context,
): Promise<void> {
  return portalAudit.append(tx, {
    ...portalAudit.by({ ...context, accountId: id }),
    action,
    subject: { kind: 'account', id },
  })
}

/** Deletes an unconfirmed account with the address: the first person to confirm an address gets it. */
async function dropUnconfirmed(
  { portalAudit }: Core,
  tx: Prisma.TransactionClient,
  { realm }: Account,
  email: string,
) {
  const unconfirmed = await tx.account.findUnique({ where: { realm_email: { realm, email } } })
  if (!unconfirmed) return
  await tx.account.delete({ where: { id: unconfirmed.id } })
  await portalAudit.append(tx, {
    ...portalAudit.system(),
    action: 'account.purged',
    subject: { kind: 'account', id: unconfirmed.id },
  })
}

/** Every change of an account locks its row before its links, so that two changes can't deadlock. */
async function lockAccount(tx: Prisma.TransactionClient, id: string): Promise<Account> {
  await tx.$queryRaw`SELECT id FROM portal.account WHERE id = ${id}::uuid FOR UPDATE`
  return tx.account.findUniqueOrThrow({ where: { id } })
}

/** The confirmed or disabled account with the address. */
async function findOwner(tx: Prisma.TransactionClient, { realm }: Account, email: string) {
  const other = await tx.account.findUnique({ where: { realm_email: { realm, email } } })
  return accountState(other) === 'unverified' ? null : other
}
