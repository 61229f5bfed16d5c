/** Accounts of our own staff. They start without a password, which the person sets with a link in an email. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { AuditActor } from '../../audit/portal-audit.ts'
import { nobodysPassword } from '../../auth/password.ts'
import type { StaffRole } from '../../contract/forms/operations.ts'
import { Problem } from '../../contract/http/problems.ts'
import { paths } from '../../contract/portal/paths.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'

const staffLinkDays = 3
type NewStaff = { email: string; name: string; role: StaffRole }

/**
 * Creates the account and emails a link. Until a password is set, another call sends a new link that replaces the
 * earlier one.
 * @throws Problem `conflict` if an account with this address has a password, is disabled, or has another role
 */
export async function inviteStaff(
  core: Core,
  tx: Prisma.TransactionClient,
  { email, name, role }: NewStaff,
  by: AuditActor,
  detail: Prisma.InputJsonObject = {},
): Promise<{ accountId: string; created: boolean }> {
  const { clock, portalAudit } = core
  const now = clock()
  const { count } = await tx.account.createMany({
    data: { realm: 'staff', email, name, staffRole: role, passwordHash: nobodysPassword, createdAt: now },
    skipDuplicates: true,
  })
  await tx.$queryRaw`SELECT 1 FROM portal.account WHERE realm = 'staff' AND email = ${email} FOR UPDATE`
  const account = await tx.account.findUniqueOrThrow({ where: { realm_email: { realm: 'staff', email } } })
  const isInvited = account.passwordHash === nobodysPassword && account.disabledAt === null
  if (!isInvited || account.staffRole !== role)
    throw new Problem('conflict', {
      field: 'email',
      message: 'This email address belongs to another staff account.',
    })
  await sendLink(core, tx, account, role, by.correlationId ?? undefined)
  await portalAudit.append(tx, {
    ...by,
    action: count === 1 ? 'staff.created' : 'staff.invited_again',
    subject: { kind: 'account', id: account.id },
    detail: { ...detail, role },
  })
  return { accountId: account.id, created: count === 1 }
}

/** Emails a link to set the first password. The earlier link stops working. */
export async function sendLink(
  core: Core,
  tx: Prisma.TransactionClient,
  { id, email, name }: { id: string; email: string; name: string },
  role: StaffRole,
  correlationId: string | undefined,
): Promise<void> {
  const { clock, mail } = core
  const now = clock()
  const expiresAt = new Date(now.getTime() + staffLinkDays * 86_400_000)
  const token = await linkTokens.issue(core, tx, { kind: 'reset_password', accountId: id, expiresAt, now })
  await mail.enqueue(tx, {
    template: 'staff-invitation',
    to: email,
    props: { name, role, expiresAt: expiresAt.toISOString() },
    links: { passwordUrl: paths.resetPassword(token) },
    correlationId,
  })
}
