/** A template as a PDF. */
import { attachment } from '../../lib/attachment.ts'
import { page } from '../../services.server.ts'
import { legalTemplate } from './legal-templates.server.ts'

export const loader = page(async ({ context, params }) => {
  const { name } = legalTemplate(context.services, params.template ?? '')
  const { fileName, bytes } = await context.services.agreementTexts.toPdf(name)
  return attachment(Buffer.from(bytes), { name: fileName, type: 'application/pdf' })
})
