/** A template as a PDF. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { pdfAnswer } from '../../lib/pdf.ts'
import { page } from '../../services.server.ts'
import { legalTemplate } from './legal-templates.server.ts'

export const loader = page(async ({ context, params }: LoaderFunctionArgs) => {
  const { name } = legalTemplate(context.services, params.template ?? '')
  return pdfAnswer(await context.services.agreementTexts.toPdf(name))
})
