/** Sends the link that confirms an address; links sent before stop working. */
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import { paths } from '../../contract/portal/paths.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'

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
