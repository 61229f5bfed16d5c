import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { csvLine } from '../../lib/csv.ts'
import { page } from '../../services.server.ts'
import { getOps } from '../ops.server.ts'
import { readOpsAuditQuery, toAuditSearch } from './audit-query.ts'

const heads = [
  'at',
  'actorKind',
  'actorId',
  'actor',
  'action',
  'subjectKind',
  'subjectId',
  'detail',
  'ip',
  'correlationId',
  'chainNumber',
] as const

/** The portal's audit as a file, newest first, by the filters of the page. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor } = await getOps(args)
  const { audit } = args.context.services.operations
  const pages = audit.file(toAuditSearch(readOpsAuditQuery(args.request.url)), actor)
  // The first page is asked for now: whoever may not see it gets a page that says so, not a broken file.
  const first = await pages.next()
  const encoder = new TextEncoder()
  type Rows = Awaited<ReturnType<typeof audit.search>>['rows']
  const lines = (rows: Rows) =>
    encoder.encode(rows.map((row) => csvLine(heads.map((name) => row[name]))).join(''))
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(csvLine([...heads])))
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
      'content-disposition': 'attachment; filename="audit.csv"',
      'cache-control': 'no-store',
    },
  })
})
