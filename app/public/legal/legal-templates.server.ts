/** The templates of agreements as anybody may read them, with words in place of their fields. */
import { data } from '@remix-run/server-runtime'
import type { Services } from '../../../server/services.ts'

type Texts = Pick<Services, 'agreementTexts'>

export function legalTemplates({ agreementTexts }: Texts) {
  return agreementTexts.list()
}

/** @throws a 404 page for a name that no template has */
export function legalTemplate({ agreementTexts }: Texts, name: string) {
  const found = agreementTexts.list().find((each) => each.name === name)
  if (!found) throw data(null, { status: 404 })
  return { ...found, markdown: agreementTexts.preview(found.name) }
}
