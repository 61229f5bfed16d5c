import { data } from '@remix-run/server-runtime'
import type { Services } from '../../../server/services.ts'

/** A template as anybody may read it, with words in place of its fields. @throws a 404 page for a name that no template has */
export function legalTemplate({ agreementTexts }: Pick<Services, 'agreementTexts'>, name: string) {
  const found = agreementTexts.list().find((each) => each.name === name)
  if (!found) throw data(null, { status: 404 })
  return { ...found, markdown: agreementTexts.preview(found.name) }
}
