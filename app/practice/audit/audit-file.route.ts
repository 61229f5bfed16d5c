import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { csvLine } from '../../lib/csv.ts'
import { page } from '../../services.server.ts'
import { getPractice } from '../practice.server.ts'
import { readAuditQuery, toAccessFilter } from './audit-query.ts'

const heads = [
  'at',
  'who',
  'principalKind',
  'principalId',
  'action',
  'resourceType',
  'patientId',
  'count',
  'purpose',
  'outcome',
  'correlationId',
]

/** A practice's record of access as a file, newest first, by the filters of the page. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const { practiceAudit } = args.context.services
  const pages = practiceAudit.file(
    practice.id,
    toAccessFilter(readAuditQuery(args.request.url), 1_000),
    actor,
  )
  // The first page is asked for now: whoever may not see it gets a page that says so, not a broken file.
  const first = await pages.next()
  const encoder = new TextEncoder()
  type Rows = Awaited<ReturnType<typeof practiceAudit.access>>['rows']
  const lines = (rows: Rows) =>
    encoder.encode(
      rows
        .map((row) =>
          csvLine([
            row.at,
            row.who,
            row.principalKind,
            row.principalId,
            row.action,
            row.resourceType,
            row.patientId,
            row.count,
            row.purpose,
            row.outcome,
            row.correlationId,
          ]),
        )
        .join(''),
    )
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
      'content-disposition': `attachment; filename="audit-${practice.slug}.csv"`,
      'cache-control': 'no-store',
    },
  })
})
