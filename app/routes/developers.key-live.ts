import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { fits, readActivityQuery } from '../activity-query.ts'
import { followAnswer } from '../event-stream.server.ts'
import { getOrganization } from '../organization.server.ts'
import { page } from '../services.server.ts'

/** A key's requests as they come, those that fit the filters. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session } = await getOrganization(args)
  const { keys } = args.context.services
  const filter = readActivityQuery(args.request.url)
  const { accountId } = session
  const follower = await keys.follow({ keyId: args.params.key ?? '', accountId })
  return followAnswer({
    reader: accountId,
    signal: args.request.signal,
    next: async () => (await follower.next()).filter((call) => fits(call, filter)),
  })
})
