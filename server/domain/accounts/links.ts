/**
 * Emailed links that confirm an address or reset a password.
 *
 * The request itself does not look up the address: it counts the attempt, writes an audit row and adds a job. So its
 * response takes the same time for known and unknown addresses, and only the job knows the difference.
 */
import { randomUUID } from 'node:crypto'
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import { nobodysPassword } from '../../auth/password.ts'
import { isSignUpBrowser } from '../../auth/sign-up-cookie.ts'
import { paths } from '../../contract/portal/paths.ts'
import type { Realm } from '../../contract/portal/realms.ts'
import { normalizeEmail } from '../../contract/text/email-address.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { accountState } from './account-state.ts'
import { maskEmail } from './mask-email.ts'
import * as throttle from './throttle.ts'
import { networkOf, type Throttled } from './throttle.ts'

/** The payload of the job. `mailId` makes it safe to run twice. */
type AccountLinkRequest = {
  purpose: 'verify_email' | 'reset_password'
  realm: Realm
  email: string
  correlationId: string
  mailId: string
}

/** Sends a new link to confirm the address of a developer's account. */
export const resendVerification = async (core: Core, { email }: { email: string }, context: Context) =>
  request(core, { purpose: 'verify_email', realm: 'developer', email }, context)

/** Sends a link to choose a new password, if there is such an account. */
export async function requestPasswordReset(
  core: Core,
  { realm, email }: { realm: Realm; email: string },
  context: Context,
) {
  return request(core, { purpose: 'reset_password', realm, email }, context)
}

async function request(
  core: Core,
  { purpose, realm, email }: Pick<AccountLinkRequest, 'purpose' | 'realm' | 'email'>,
  context: Context,
): Promise<{ kind: 'mail_sent' } | Throttled> {
  const { prisma, portalAudit, jobs } = core
  const address = normalizeEmail(email)
  const refused = await throttle.take(core, [
    { rule: 'mailNetwork', subject: [networkOf(context.ip)] },
    { rule: 'mailAddress', subject: [purpose, realm, address] },
  ])
  if (refused) return refused
  const { correlationId } = context
  const job: AccountLinkRequest = { purpose, realm, email: address, correlationId, mailId: randomUUID() }
  await prisma.$transaction(async (tx) => {
    await portalAudit.append(tx, {
      ...portalAudit.visitor(context),
      action: `account.${purpose}_requested`,
      subject: { kind: 'account', id: null },
      detail: { realm },
    })
    await jobs.add(tx, 'send-account-link', job)
  })
  return { kind: 'mail_sent' }
}

/** The job of a request: finds the account and sends the email that fits its state, if any. */
export async function sendLink(
  core: Core,
  { purpose, realm, email, correlationId, mailId }: AccountLinkRequest,
): Promise<void> {
  const { prisma } = core
  await prisma.$transaction(async (tx) => {
    // The lock makes a second run of the same job wait, so that it sees the first one's email.
    const [found] = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM portal.account WHERE realm = ${realm}::portal.realm AND email = ${email} FOR UPDATE`
    if (!found) return
    if (await tx.outboxMail.findUnique({ where: { id: mailId }, select: { id: true } })) return
    const account = await tx.account.findUniqueOrThrow({ where: { id: found.id } })
    const state = accountState(account)
    if (state === 'disabled' || account.passwordHash === nobodysPassword) return
    if (purpose === 'reset_password') await sendResetLink(core, tx, account, { correlationId, mailId })
    else if (state === 'unverified') await sendVerifyLink(core, tx, account, { correlationId, mailId })
    else await sendAccountExists(core, tx, account, { correlationId, mailId })
  })
}

type MailIds = { correlationId: string; mailId: string }

async function sendResetLink(
  core: Core,
  tx: Prisma.TransactionClient,
  account: Account,
  { correlationId, mailId }: MailIds,
) {
  const { mail } = core
  const { token, expiresAt } = await issueResetToken(core, tx, account.id)
  await mail.enqueue(tx, {
    template: 'password-reset',
    to: account.email,
    props: { name: account.name, expiresAt: expiresAt.toISOString() },
    links: { resetUrl: paths.resetPassword(token) },
    correlationId,
    id: mailId,
  })
}

/** The state of a link, for its page. Reading does not use up the link. */
export async function findLink(
  core: Core,
  token: string,
  kind: 'verify_email' | 'change_email' | 'reset_password',
  cookies: string | null = null,
): Promise<
  /** `sameBrowser`: the person signed up in this browser, with the account's current password. */
  | { kind: 'live'; maskedEmail: string; realm: Realm; sameBrowser: boolean }
  /** The address was confirmed in the meantime, by a newer link or a password reset. */
  | { kind: 'confirmed' }
  | { kind: 'expired' | 'replaced' | 'used' | 'unknown' }
> {
  const { prisma } = core
  const found = await linkTokens.check(core, token, kind)
  if (found.kind === 'used' || found.kind === 'unknown') return { kind: found.kind }
  const account = await prisma.account.findUnique({ where: { id: found.link.accountId ?? '' } })
  if (!account) return { kind: 'unknown' }
  if (found.kind === 'expired') {
    const isConfirmed = kind === 'verify_email' && accountState(account) === 'active'
    if (isConfirmed) return { kind: 'confirmed' }
    return { kind: (await linkTokens.isReplaced(core, found.link)) ? 'replaced' : 'expired' }
  }
  const email = kind === 'change_email' ? (account.pendingEmail ?? '') : account.email
  const sameBrowser = isSignUpBrowser(core, cookies, account)
  return { kind: 'live', maskedEmail: maskEmail(email), realm: account.realm, sameBrowser }
}

// Sends the link that confirms an address; earlier links stop working.

const verifyLinkHours = 24

export async function sendVerifyLink(
  core: Core,
  tx: Prisma.TransactionClient,
  account: Pick<Account, 'id' | 'email' | 'name'>,
  { correlationId, mailId }: { correlationId: string; mailId?: string },
): Promise<void> {
  const now = core.clock()
  const expiresAt = new Date(now.getTime() + verifyLinkHours * 3_600_000)
  const token = await linkTokens.issue(core, tx, {
    kind: 'verify_email',
    accountId: account.id,
    expiresAt,
    now,
  })
  await core.mail.enqueue(tx, {
    template: 'verify-email',
    to: account.email,
    props: { name: account.name, expiresAt: expiresAt.toISOString() },
    links: { verifyUrl: paths.verifyEmail(token) },
    correlationId,
    id: mailId,
  })
}

// The email to the owner of an account whose address was used to sign up or to request another confirmation link.

const resetLinkMinutes = 60

/**
 * The email has a reset link, because people who sign up again have often forgotten their password. Earlier links go on
 * working, so that a stranger's sign-up does not end a link that the owner is about to use.
 */
export async function sendAccountExists(
  core: Core,
  tx: Prisma.TransactionClient,
  account: Account,
  { correlationId, mailId }: { correlationId: string; mailId?: string },
): Promise<void> {
  const mayReset =
    accountState(account) !== 'disabled' && account.passwordHash !== nobodysPassword && !account.isDemo
  const reset = mayReset ? await issueResetToken(core, tx, account.id, { keepEarlier: true }) : null
  await core.mail.enqueue(tx, {
    template: 'account-exists',
    to: account.email,
    props: {
      name: account.name,
      at: core.clock().toISOString(),
      expiresAt: reset?.expiresAt.toISOString() ?? null,
    },
    links: { resetUrl: reset ? paths.resetPassword(reset.token) : paths.signIn },
    correlationId,
    id: mailId,
  })
}

async function issueResetToken(
  core: Core,
  tx: Prisma.TransactionClient,
  accountId: string,
  { keepEarlier = false }: { keepEarlier?: boolean } = {},
): Promise<{ token: string; expiresAt: Date }> {
  const now = core.clock()
  const expiresAt = new Date(now.getTime() + resetLinkMinutes * 60_000)
  const token = await linkTokens.issue(core, tx, {
    kind: 'reset_password',
    accountId,
    expiresAt,
    now,
    keepEarlier,
  })
  return { token, expiresAt }
}
