import { attachment } from '../../lib/attachment.ts'
import { page } from '../../services.server.ts'
import { getPractice } from '../practice.server.ts'

/** What each key and app did in a month, as a file. */
export const loader = page(async (args) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const query = new URL(args.request.url).searchParams
  const { bytes, ...file } = await args.context.services.accessUse.issueReport(
    {
      practiceId: practice.id,
      month: query.get('month') ?? '',
      format: query.get('format') === 'csv' ? 'csv' : 'pdf',
    },
    actor,
  )
  return attachment(new Uint8Array(bytes), file)
})
