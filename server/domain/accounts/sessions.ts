/** Opens and ends sessions. */
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import type { PortalSession } from '../../auth/sessions.ts'
import { describeDevice } from '../../contract/text/device.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'

/**
 * Opens a session after the password was checked, and sends an email if the device is new.
 * @param practiceId the practice of the sign-in page, for the practice's log
 * @param options.tour set for a sign-in without a password, which the audit row notes
 * @returns the session's Set-Cookie
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

/** Looks up the device in the audit trail, which outlives sessions. The first sign-in of an account does not count. */
async function isNewDevice(tx: Prisma.TransactionClient, accountId: string, device: string) {
  const earlier = { subjectKind: 'account', subjectId: accountId, action: 'account.signed_in' }
  const same = await tx.auditEvent.findFirst({
    where: { ...earlier, detail: { path: ['device'], equals: device } },
    select: { id: true },
  })
  if (same) return false
  return (await tx.auditEvent.findFirst({ where: earlier, select: { id: true } })) !== null
}

// Sign-out in this browser, or of other browsers on the sessions page. Each end writes an audit row.

/** @returns the Set-Cookie value that removes the cookie */
export async function signOut(core: Core, session: PortalSession, context: Context) {
  const { prisma, sessions } = core
  const { id, accountId, realm } = session
  await prisma.$transaction(async (tx) => {
    // Nothing is recorded if the session has ended in the meantime.
    if (!(await sessions.endOne({ accountId, sessionId: id }, tx))) return
    await record(core, tx, { accountId, action: 'account.signed_out', detail: { sessionId: id } }, context)
  })
  return { cookie: sessions.blankCookie(realm) }
}

/** Ends one session of the account. A session that has ended, or belongs to another account, is ignored. */
export async function endSession(
  core: Core,
  { session, sessionId }: { session: PortalSession; sessionId: string },
  context: Context,
): Promise<void> {
  const { prisma, sessions } = core
  const { accountId } = session
  await prisma.$transaction(async (tx) => {
    if (!(await sessions.endOne({ accountId, sessionId }, tx))) return
    await record(core, tx, { accountId, action: 'account.session_ended', detail: { sessionId } }, context)
  })
}

/** Ends all other sessions of the account. */
export async function endOtherSessions(core: Core, session: PortalSession, context: Context): Promise<void> {
  const { prisma, sessions } = core
  const { accountId, id } = session
  await prisma.$transaction(async (tx) => {
    const ended = await sessions.endOthers({ accountId, keepSessionId: id }, tx)
    if (ended === 0) return
    await record(core, tx, { accountId, action: 'account.sessions_ended', detail: { ended } }, context)
  })
}

function record(
  { portalAudit }: Core,
  tx: Prisma.TransactionClient,
  { accountId, action, detail }: { accountId: string; action: string; detail: Prisma.InputJsonObject },
  context: Context,
): Promise<void> {
  return portalAudit.append(tx, {
    ...portalAudit.by({ ...context, accountId }),
    action,
    subject: { kind: 'account', id: accountId },
    detail,
  })
}
