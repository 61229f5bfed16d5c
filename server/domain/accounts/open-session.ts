/** Opens a session for a person who has just given the password, and sends an email when the device is new. */
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import { describeDevice } from './describe-device.ts'

/**
 * @param practiceId on whose sign-in page it was, so that the practice's own log has it
 * @param options.tour no password was given: the audit row says so
 * @returns the session's cookie, for a Set-Cookie
 */
export async function openSession(
  { sessions, portalAudit, mail, clock }: Core,
  tx: Prisma.TransactionClient,
  account: Account,
  context: Context,
  practiceId?: string,
  { tour = false }: { tour?: boolean } = {},
): Promise<string> {
  const device = describeDevice(context.userAgent)
  const isNew = await isNewDevice(tx, account.id, device)
  const { session, cookie } = await sessions.start(
    { accountId: account.id, realm: account.realm, ...context },
    tx,
  )
  await portalAudit.append(tx, {
    ...portalAudit.by({ ...context, accountId: account.id }),
    ...(practiceId === undefined ? {} : { practiceId }),
    action: 'account.signed_in',
    subject: { kind: 'account', id: account.id },
    detail: { device, sessionId: session.id, ...(tour ? { tour } : {}) },
  })
  if (isNew && !account.isDemo) {
    await mail.enqueue(tx, {
      template: 'new-device',
      to: account.email,
      props: { name: account.name, at: clock().toISOString(), ip: context.ip, device },
      correlationId: context.correlationId,
    })
  }
  return cookie
}

/** The audit trail remembers devices longer than sessions live. The very first sign-in is no surprise. */
async function isNewDevice(
  tx: Prisma.TransactionClient,
  accountId: string,
  device: string,
): Promise<boolean> {
  const earlier = { subjectKind: 'account', subjectId: accountId, action: 'account.signed_in' }
  const same = await tx.auditEvent.findFirst({
    where: { ...earlier, detail: { path: ['device'], equals: device } },
    select: { id: true },
  })
  if (same) return false
  return (await tx.auditEvent.findFirst({ where: earlier, select: { id: true } })) !== null
}
