import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { csvLine } from '../../lib/csv.ts'
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
]

/** A key's activity as a file, newest first, by the filters of the page. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session } = await getOrganization(args)
  const { keys } = args.context.services
  const keyId = args.params.key ?? ''
  const pages = keys.activityFile({
    keyId,
    accountId: session.accountId,
    ...readActivityQuery(args.request.url),
  })
  // The first page is asked for now: whoever may not see the key gets a page that says so, not a broken file.
  const first = await pages.next()
  const encoder = new TextEncoder()
  const lines = (rows: Awaited<ReturnType<typeof keys.activity>>['rows']) =>
    encoder.encode(rows.map(toLine).join(''))
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(csvLine(heads)))
      if (!first.done) controller.enqueue(lines(first.value))
    },
    async pull(controller) {
      const { done, value } = await pages.next()
      if (done) controller.close()
      else controller.enqueue(lines(value))
    },
    cancel: () => void pages.return(undefined),
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="activity-${keyId}.csv"`,
      'cache-control': 'no-store',
    },
  })

  function toLine(call: Awaited<ReturnType<typeof keys.activity>>['rows'][number]): string {
    return csvLine([
      call.at,
      call.method,
      call.route,
      call.status,
      call.refusalReason,
      call.ip,
      call.fromBrowser,
      Math.round(call.durationMs * 10) / 10,
      call.correlationId,
      call.clientCorrelationId,
      call.count,
    ])
  }
})
