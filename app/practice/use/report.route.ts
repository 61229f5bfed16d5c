import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../../services.server.ts'
import { getPractice } from '../practice.server.ts'

/** What each key and app did in a month, as a file. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const query = new URL(args.request.url).searchParams
  const { name, type, bytes } = await args.context.services.accessUse.issueReport(
    {
      practiceId: practice.id,
      month: query.get('month') ?? '',
      format: query.get('format') === 'csv' ? 'csv' : 'pdf',
    },
    actor,
  )
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  })
})
