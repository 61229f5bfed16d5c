/** Sets a new password, by an emailed link or with the current password. The account's other sessions end. */
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import type { PortalSession } from '../../auth/sessions.ts'
import { Problem } from '../../contract/http/problems.ts'
import { findPasswordFault } from '../../contract/portal/password-rules.ts'
import type { Realm } from '../../contract/portal/realms.ts'
import { accountWorkflow } from '../../contract/workflows/workflows.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { accountState } from './account-state.ts'
import { checkPassword } from './sign-in.ts'
import type { Throttled } from './throttle.ts'

/**
 * Uses up the link. The link also confirms the address, because it was emailed there.
 * @throws Problem `validation` (password), `unavailable` (too many hashes at once); the link stays live in both cases
 */
export async function resetPassword(
  core: Core,
  { token, password }: { token: string; password: string },
  context: Context,
): Promise<{ kind: 'changed'; realm: Realm } | { kind: 'expired' | 'used' | 'unknown' }> {
  const { prisma, passwords, clock, sessions } = core
  const found = await linkTokens.check(core, token, 'reset_password')
  if (found.kind !== 'live') return { kind: found.kind }
  const account = await prisma.account.findUniqueOrThrow({ where: { id: found.link.accountId ?? '' } })
  checkNewPassword(password, account, 'password')
  const passwordHash = await passwords.hash(password)
  return prisma.$transaction(async (tx) => {
    const taken = await linkTokens.consume(core, tx, token, 'reset_password')
    if (taken.kind !== 'live') return { kind: taken.kind }
    accountWorkflow.next(accountState(account), 'reset_password', 'holder')
    await tx.account.update({
      where: { id: account.id },
      data: { passwordHash, emailVerifiedAt: account.emailVerifiedAt ?? clock() },
    })
    await linkTokens.withdraw(tx, { kind: 'verify_email', accountId: account.id, now: clock() })
    await linkTokens.withdraw(tx, { kind: 'reset_password', accountId: account.id, now: clock() })
    await sessions.endOthers({ accountId: account.id, keepSessionId: null }, tx)
    await recordChange(core, tx, account, 'account.password_reset', context)
    return { kind: 'changed', realm: account.realm }
  })
}

/**
 * Changes the password with the current one. The session goes on under a new id.
 * @throws Problem `validation` (new password), `unavailable` (too many hashes at once)
 */
export async function changePassword(
  core: Core,
  input: { session: PortalSession; currentPassword: string; newPassword: string },
  context: Context,
): Promise<{ kind: 'changed'; cookie: string } | { kind: 'refused' } | Throttled> {
  const { prisma, passwords, sessions, clock } = core
  const { session, currentPassword, newPassword } = input
  const account = await prisma.account.findUniqueOrThrow({ where: { id: session.accountId } })
  checkNewPassword(newPassword, account, 'newPassword')
  const refused = await checkPassword(core, account, currentPassword, context)
  if (refused) return refused
  const passwordHash = await passwords.hash(newPassword)
  return prisma.$transaction(async (tx) => {
    accountWorkflow.next(accountState(account), 'change_password', 'holder')
    // The update fails if the password was changed after it was compared.
    const changed = await tx.account.updateMany({
      where: { id: account.id, passwordHash: account.passwordHash },
      data: { passwordHash },
    })
    if (changed.count === 0) return { kind: 'refused' }
    const { cookie } = await sessions.renewAfterStepUp(session, tx)
    await sessions.endOthers({ accountId: account.id, keepSessionId: session.id }, tx)
    await linkTokens.withdraw(tx, { kind: 'reset_password', accountId: account.id, now: clock() })
    await recordChange(core, tx, account, 'account.password_changed', context)
    return { kind: 'changed', cookie }
  })
}

async function recordChange(
  { portalAudit, mail, clock }: Core,
  tx: Prisma.TransactionClient,
  account: Account,
  action: string,
  context: Context,
) {
  await portalAudit.append(tx, {
    ...portalAudit.by({ ...context, accountId: account.id }),
    action,
    subject: { kind: 'account', id: account.id },
  })
  await mail.enqueue(tx, {
    template: 'password-changed',
    to: account.email,
    props: { name: account.name, at: clock().toISOString(), ip: context.ip },
    correlationId: context.correlationId,
  })
}

function checkNewPassword(password: string, { email, isDemo }: Account, field: string): void {
  if (isDemo)
    throw new Problem('forbidden', { message: 'The password of a demonstration sign-in cannot be changed.' })
  const fault = findPasswordFault(password, email)
  if (fault) throw new Problem('validation', { message: fault, field })
}
