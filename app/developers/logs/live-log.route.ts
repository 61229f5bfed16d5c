import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../../services.server.ts'
import { readActivityQuery } from '../../shared/activity/activity-query.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { followAnswer, lastEventId } from './event-stream.server.ts'
import { fits, nameCallers, readerOf } from './log-query.ts'

/** Requests as they come, those that fit the filters, from where the page or the stream before ended. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, organization } = await getOrganization(args)
  const { keys, sessions } = args.context.services
  const query = readActivityQuery(args.request.url)
  const { accountId } = session
  const mine = { organizationId: organization.id, accountId }
  const after = lastEventId(args.request) ?? new URL(args.request.url).searchParams.get('after') ?? undefined
  const follower = await keys.follow({ ...readerOf(query, mine), after })
  const nameOf = nameCallers(await keys.listCallers(mine))
  return followAnswer({
    reader: accountId,
    signal: args.request.signal,
    isSignedIn: () => sessions.isLive(session.id),
    next: async () => {
      const { calls, position } = await follower.next()
      const events = calls
        .filter((call) => fits(call, query))
        .map((call) => ({ ...call, caller: nameOf(call) }))
      return { events, position }
    },
  })
})
