/** The signed-in person's own sessions, in whichever realm they are signed in to. */
import { type Realm, realms } from '../../../server/contract/portal/realms.ts'
import { describeDevice } from '../../../server/contract/text/device.ts'
import { goOn, readFields } from '../../lib/submission.server.ts'
import { getSession, type PageArgs, visitorOf } from '../../services.server.ts'

export async function loadOwnSessions(args: PageArgs, realm: Realm) {
  const own = await getSession(args, realm)
  const sessions = await args.context.services.sessions.listForAccount(own.accountId)
  return {
    account: { name: own.account.name, email: own.account.email },
    sessionHours: realms[realm].sessionHours,
    sessions: sessions.map(({ id, createdAt, expiresAt, ip, userAgent }) => ({
      id,
      createdAt,
      expiresAt,
      ip,
      device: describeDevice(userAgent),
      own: id === own.id,
    })),
  }
}

export async function endOwnSession(args: PageArgs, realm: Realm, page: string) {
  const own = await getSession(args, realm)
  const { accounts } = args.context.services
  const fields = await readFields(args.request)
  if (fields.get('intent') === 'end-others') {
    await accounts.endOtherSessions(own, visitorOf(args))
    return goOn(page, 'sessions_ended')
  }
  const sessionId = String(fields.get('session') ?? '')
  await accounts.endSession({ session: own, sessionId }, visitorOf(args))
  return goOn(page, 'session_ended')
}
