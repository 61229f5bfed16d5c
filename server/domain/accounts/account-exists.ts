/** The email to the owner of an account whose address somebody signed up with, or wanted to confirm again. */
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import { nobodysPassword } from '../../auth/password.ts'
import { paths } from '../../contract/portal/paths.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { accountState } from './account-state.ts'

const resetLinkMinutes = 60

/**
 * It holds a link to choose a new password: people who sign up again have often forgotten theirs. Earlier links go on
 * working, so that a stranger's sign-up does not end the one that the owner is about to use.
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

export async function issueResetToken(
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
