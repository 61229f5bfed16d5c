import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import type { Realm } from '../../../server/contract/portal/realms.ts'
import { getSession, type PageArgs } from '../../services.server.ts'
import { inboxPath } from './inbox-path.ts'

/** The inbox of the signed-in person, with the page of each step. */
export async function readInbox(args: PageArgs, realm: Realm) {
  const session = await getSession(args, realm)
  const { accountId } = session
  const { inbox, clock } = args.context.services
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  const listed = await inbox.list({ ask }, { accountId })
  return {
    listed: {
      ...listed,
      rows: listed.rows.map((entry) => ({
        ...entry,
        to: inboxPath(entry),
        claimedBy: entry.claimedBy && { ...entry.claimedBy, you: entry.claimedBy.id === accountId },
      })),
    },
    now: clock(),
  }
}

/** The data of an inbox page. */
export type InboxData = Awaited<ReturnType<typeof readInbox>>
