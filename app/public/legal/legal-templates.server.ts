import { data } from '@remix-run/server-runtime'
import type { Services } from '../../../server/services.ts'

/** A public legal template, with `[field name]` in place of each field. @throws a 404 page for an unknown name */
export function legalTemplate({ agreementTexts }: Pick<Services, 'agreementTexts'>, name: string) {
  const found = agreementTexts.list().find((each) => each.name === name)
  if (!found) throw data(null, { status: 404 })
  return { ...found, markdown: agreementTexts.preview(found.name) }
}
