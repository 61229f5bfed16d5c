/** The organization's part of the inbox, for the dashboard. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { wholeInbox } from '../../../server/contract/portal/inbox-filter.ts'
import { inboxPath } from '../../shared/inbox/inbox-path.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'

const todosShown = 6

/** The first of it; a key to claim has a banner of its own. */
export async function listTodos(args: LoaderFunctionArgs) {
  const { organization, session } = await getOrganization(args)
  const { rows, total } = await args.context.services.inbox.list(
    { organizationId: organization.id, ask: wholeInbox },
    session,
  )
  const isClaim = ({ kind, event }: (typeof rows)[number]) =>
    kind === 'sandbox_key_request' && event === 'reveal'
  const todos = rows.filter((entry) => !isClaim(entry))
  return {
    todos: todos.slice(0, todosShown).map((entry) => ({
      title: entry.title,
      action: entry.action,
      to: inboxPath(entry),
      dueAt: entry.dueAt,
    })),
    todoCount: total - (rows.length - todos.length),
  }
}
