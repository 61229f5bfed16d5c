/** Opens a session for a person who has just given the password, and sends an email when the device is new. */
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import type { PortalSession } from '../../auth/sessions.ts'
import { describeDevice } from '../../contract/text/device.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'

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
async function isNewDevice(tx: Prisma.TransactionClient, accountId: string, device: string) {
  const earlier = { subjectKind: 'account', subjectId: accountId, action: 'account.signed_in' }
  const same = await tx.auditEvent.findFirst({
    where: { ...earlier, detail: { path: ['device'], equals: device } },
    select: { id: true },
  })
  if (same) return false
  return (await tx.auditEvent.findFirst({ where: earlier, select: { id: true } })) !== null
}

// Signing out: here, or in another browser from the sessions page. Each end leaves a row in the audit trail.

/** @returns the Set-Cookie value that removes the cookie */
export async function signOut(core: Core, session: PortalSession, context: Context) {
  const { prisma, sessions } = core
  const { id, accountId, realm } = session
  await prisma.$transaction(async (tx) => {
    // It may have ended meanwhile: then there is nothing to record.
    if (!(await sessions.endOne({ accountId, sessionId: id }, tx))) return
    await record(core, tx, { accountId, action: 'account.signed_out', detail: { sessionId: id } }, context)
  })
  return { cookie: sessions.blankCookie(realm) }
}

/** Ends one session of the signed-in person; a session that has ended, or belongs to another account, counts as ended. */
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

/** Ends every session of the signed-in person but this one. */
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
