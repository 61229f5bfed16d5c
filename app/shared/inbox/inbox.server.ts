import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import type { Realm } from '../../../server/contract/portal/realms.ts'
import { getSession } from '../../services.server.ts'
import { inboxPath } from './inbox-path.ts'

/** The inbox of the signed-in person, with the page of each step. */
export async function readInbox(args: LoaderFunctionArgs, realm: Realm) {
  const session = await getSession(args, realm)
  const { accountId, account } = session
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  const listed = await args.context.services.inbox.list({ ask }, { accountId })
  return {
    account: { name: account.name, email: account.email },
    listed: {
      ...listed,
      rows: listed.rows.map((entry) => ({
        ...entry,
        to: inboxPath(entry),
        claimedBy: entry.claimedBy && { ...entry.claimedBy, you: entry.claimedBy.id === accountId },
      })),
    },
    now: args.context.services.clock(),
  }
}
