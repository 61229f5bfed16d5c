/** Signing out: here, or in another browser from the sessions page. Each end leaves a row in the audit trail. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { PortalSession } from '../../auth/sessions.ts'
import type { Context } from '../actor.ts'
import type { AccountCore } from './dependencies.ts'

export function createSignOut({ prisma, portalAudit, sessions }: AccountCore) {
  /** @returns the Set-Cookie value that removes the cookie */
  async function signOut(session: PortalSession, context: Context): Promise<{ cookie: string }> {
    const { id, accountId, realm } = session
    await prisma.$transaction(async (tx) => {
      // It may have ended meanwhile: then there is nothing to record.
      if (!(await sessions.endOne({ accountId, sessionId: id }, tx))) return
      await record(tx, { accountId, action: 'account.signed_out', detail: { sessionId: id } }, context)
    })
    return { cookie: sessions.blankCookie(realm) }
  }

  /** Ends one session of the signed-in person; one that has ended already, or is somebody else's, is as good as ended. */
  async function endSession(
    { session, sessionId }: { session: PortalSession; sessionId: string },
    context: Context,
  ): Promise<void> {
    const { accountId } = session
    await prisma.$transaction(async (tx) => {
      if (!(await sessions.endOne({ accountId, sessionId }, tx))) return
      await record(tx, { accountId, action: 'account.session_ended', detail: { sessionId } }, context)
    })
  }

  /** Ends every session of the signed-in person but this one. */
  async function endOtherSessions(session: PortalSession, context: Context): Promise<void> {
    const { accountId, id } = session
    await prisma.$transaction(async (tx) => {
      const ended = await sessions.endOthers({ accountId, keepSessionId: id }, tx)
      if (ended === 0) return
      await record(tx, { accountId, action: 'account.sessions_ended', detail: { ended } }, context)
    })
  }

  function record(
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

  return { signOut, endSession, endOtherSessions }
}
