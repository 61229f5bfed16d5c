import { csvFile } from '../../lib/csv.ts'
import { getOrganization, page } from '../../services.server.ts'
import { readActivityQuery } from '../../shared/activity/activity-query.ts'
import { filterOf, nameCallers, readerOf } from './log.server.ts'

const heads = [
  'at',
  'caller',
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

/** The log as a file, newest first, by the filters of the page. */
export const loader = page(async (args) => {
  const { organization, mine } = await getOrganization(args)
  const { keys, clock } = args.context.services
  const query = readActivityQuery(args.request.url)
  const nameOf = nameCallers(await keys.listCallers(mine))
  const calls = keys.activityFile({ ...readerOf(query, mine), ...filterOf(query, clock()) })
  return csvFile(`log-${organization.slug}`, heads, calls, (call) => ({
    ...call,
    caller: nameOf(call),
    refusal: call.refusalReason,
    durationMs: Math.round(call.durationMs * 10) / 10,
  }))
})
