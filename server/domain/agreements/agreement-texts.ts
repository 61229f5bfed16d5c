/** The templates in force, by the names that pages and documents know them by. */
import type { AgreementKind } from '../../contract/agreements.ts'
import { type AgreementText, readAgreementText } from './agreement-text.ts'

export const templateNames = {
  'usage-agreement': 'Usage agreement',
  'usage-policy': 'Usage policy',
  'sandbox-terms': 'Sandbox terms',
  baa: 'Business associate agreement',
} as const
export type TemplateName = keyof typeof templateNames

const published: Readonly<Record<TemplateName, string>> = {
  'usage-agreement': '1.0',
  'usage-policy': '1.0',
  'sandbox-terms': '1.0',
  baa: '1.0',
}

const templateOfKind = { usage_agreement: 'usage-agreement', baa: 'baa' } as const

export type AgreementTexts = Readonly<{
  get(name: TemplateName): AgreementText
  of(kind: AgreementKind): { name: TemplateName; text: AgreementText }
}>

/** @param changes other texts in place of the published ones, for tests of a new version */
export function createAgreementTexts(
  changes: Partial<Record<TemplateName, AgreementText>> = {},
): AgreementTexts {
  const texts = new Map<TemplateName, AgreementText>()
  for (const name of Object.keys(published) as TemplateName[])
    texts.set(name, changes[name] ?? readAgreementText(name, published[name]))
  const get = (name: TemplateName) => {
    const text = texts.get(name)
    if (!text) throw new Error(`no template is called ${name}`)
    return text
  }
  return {
    get,
    of: (kind) => ({ name: templateOfKind[kind], text: get(templateOfKind[kind]) }),
  }
}
