/** Signing out: here, or in another browser from the sessions page. Each end leaves a row in the audit trail. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { PortalSession } from '../../auth/sessions.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'

/** @returns the Set-Cookie value that removes the cookie */
export async function signOut(
  core: Core,
  session: PortalSession,
  context: Context,
): Promise<{ cookie: string }> {
  const { prisma, sessions } = core
  const { id, accountId, realm } = session
  await prisma.$transaction(async (tx) => {
    // It may have ended meanwhile: then there is nothing to record.
    if (!(await sessions.endOne({ accountId, sessionId: id }, tx))) return
    await record(core, tx, { accountId, action: 'account.signed_out', detail: { sessionId: id } }, context)
  })
  return { cookie: sessions.blankCookie(realm) }
}

/** Ends one session of the signed-in person; one that has ended already, or is somebody else's, is as good as ended. */
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
