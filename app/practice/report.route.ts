import { attachment } from '../lib/attachment.ts'
import { page } from '../services.server.ts'
import { getPractice } from './practice.server.ts'

/**
 * As files: an accounting of disclosures, which goes into the audit chain with its hash, and what each key and app did
 * in a month.
 */
export const loader = page(async (args) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const { pathname, searchParams } = new URL(args.request.url)
  const field = (name: string) => searchParams.get(name) ?? ''
  const format = field('format') === 'csv' ? ('csv' as const) : ('pdf' as const)
  const { disclosures, accessUse } = args.context.services
  const asked = { practiceId: practice.id, format }
  const { bytes, ...file } = await (/\/disclosures\//i.test(pathname)
    ? disclosures.issue(
        {
          ...asked,
          patientId: field('patient'),
          from: field('from'),
          to: field('to'),
          all: field('all') === 'on',
        },
        actor,
      )
    : accessUse.issueReport({ ...asked, month: field('month') }, actor))
  return attachment(new Uint8Array(bytes), file)
})
