/** A template as a PDF. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { attachment } from '../../lib/attachment.ts'
import { page } from '../../services.server.ts'
import { legalTemplate } from './legal-templates.server.ts'

export const loader = page(async ({ context, params }: LoaderFunctionArgs) => {
  const { name } = legalTemplate(context.services, params.template ?? '')
  const { fileName, bytes } = await context.services.agreementTexts.toPdf(name)
  return attachment(Buffer.from(bytes), { name: fileName, type: 'application/pdf' })
})
