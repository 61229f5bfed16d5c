import { attachment } from '../../lib/attachment.ts'
import { page } from '../../services.server.ts'
import { getPractice } from '../practice.server.ts'

/** An accounting of disclosures as a file. That it was made, and its hash, go into the audit chain. */
export const loader = page(async (args) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const query = new URL(args.request.url).searchParams
  const { bytes, ...file } = await args.context.services.disclosures.issue(
    {
      practiceId: practice.id,
      patientId: query.get('patient') ?? '',
      from: query.get('from') ?? '',
      to: query.get('to') ?? '',
      all: query.get('all') === 'on',
      format: query.get('format') === 'csv' ? 'csv' : 'pdf',
    },
    actor,
  )
  return attachment(new Uint8Array(bytes), file)
})
