import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../../services.server.ts'
import { fits, readActivityQuery } from '../../shared/activity/activity-query.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { followAnswer, lastEventId } from './event-stream.server.ts'

/** A key's requests as they come, those that fit the filters, from where the page or the stream before ended. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session } = await getOrganization(args)
  const { keys, sessions } = args.context.services
  const filter = readActivityQuery(args.request.url)
  const { accountId } = session
  const after = lastEventId(args.request) ?? new URL(args.request.url).searchParams.get('after') ?? undefined
  const follower = await keys.follow({ keyId: args.params.key ?? '', accountId, after })
  return followAnswer({
    reader: accountId,
    signal: args.request.signal,
    isSignedIn: () => sessions.isLive(session.id),
    next: async () => {
      const { calls, position } = await follower.next()
      return { events: calls.filter((call) => fits(call, filter)), position }
    },
  })
})
