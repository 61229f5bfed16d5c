/** Sends the link that confirms an address; links sent before stop working. */
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import { paths } from '../../contract/portal/paths.ts'
import type { AccountCore } from './dependencies.ts'

const verifyLinkHours = 24

export async function sendVerifyLink(
  tx: Prisma.TransactionClient,
  { clock, linkTokens, mail }: Pick<AccountCore, 'clock' | 'linkTokens' | 'mail'>,
  account: Pick<Account, 'id' | 'email' | 'name'>,
  { correlationId, mailId }: { correlationId: string; mailId?: string },
): Promise<void> {
  const now = clock()
  const expiresAt = new Date(now.getTime() + verifyLinkHours * 3_600_000)
  const token = await linkTokens.issue(tx, { kind: 'verify_email', accountId: account.id, expiresAt, now })
  await mail.enqueue(tx, {
    template: 'verify-email',
    to: account.email,
    props: { name: account.name, expiresAt: expiresAt.toISOString() },
    links: { verifyUrl: paths.verifyEmail(token) },
    correlationId,
    id: mailId,
  })
}
