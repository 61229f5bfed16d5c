import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { csvFile } from '../../lib/csv.ts'
import { page } from '../../services.server.ts'
import { readActivityQuery } from '../../shared/activity/activity-query.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'

const heads = [
  'at',
  'method',
  'route',
  'status',
  'refusal',
  'ip',
  'fromBrowser',
  'durationMs',
  'correlationId',
  'clientCorrelationId',
  'count',
] as const

/** A key's activity as a file, newest first, by the filters of the page. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session } = await getOrganization(args)
  const { keys } = args.context.services
  const keyId = args.params.key ?? ''
  const query = { keyId, accountId: session.accountId, ...readActivityQuery(args.request.url) }
  return csvFile(`activity-${keyId}`, heads, keys.activityFile(query), (call) => ({
    ...call,
    refusal: call.refusalReason,
    durationMs: Math.round(call.durationMs * 10) / 10,
  }))
})
