import { data } from '@remix-run/server-runtime'
import { attachment } from '../lib/attachment.ts'
import { page } from '../services.server.ts'
import { getAgreement } from './agreement.server.ts'

/** A version's bytes, or the executed document. */
export const loader = page(async (args) => {
  const { actor, agreement } = await getAgreement(args)
  const { file = '' } = args.params
  if (file !== 'executed' && !/^\d{1,4}$/.test(file)) throw data(null, { status: 404 })
  const found = await args.context.services.agreements.readFile(
    agreement.id,
    file === 'executed' ? 'executed' : Number(file),
    actor,
  )
  return attachment(Buffer.from(found.bytes), { name: found.fileName, type: 'application/pdf' })
})
