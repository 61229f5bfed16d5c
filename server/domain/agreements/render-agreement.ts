/** Renders the document that people read and sign. */
import { createHash } from 'node:crypto'
import {
  baaFields,
  deidentificationRules,
  offshoreRules,
  usageFields,
} from '../../contract/forms/agreements.ts'
import { Problem } from '../../contract/http/problems.ts'
import { type DataClass, dataClasses } from '../../contract/keys/data-classes.ts'
import { type Purpose, purposes } from '../../contract/rest/purposes.ts'
import { type AgreementKind, agreementTimes, serviceParty } from '../../contract/workflows/agreements.ts'
import type { AgreementText, AgreementTexts } from './agreement-texts.ts'
import type { Signatory } from './agreement-types.ts'
import { canDraw, createPageWriter } from './pdf/page-writer.ts'
import { writeMarkdown } from './pdf/write-markdown.ts'

type ToRender = Readonly<{
  agreementId: string
  number: number
  kind: AgreementKind
  level: string | null
  dataClasses: readonly string[]
  purposes: readonly string[]
  signatories: readonly Pick<Signatory, 'side' | 'legalName' | 'title'>[]
  fields: unknown
  at: Date
}>

export type Rendered = Awaited<ReturnType<typeof renderAgreement>>

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** @throws Problem `validation` naming the invalid field */
export async function renderAgreement(texts: AgreementTexts, input: ToRender) {
  const { name, text } = texts.of(input.kind)
  const fields = parseFields(input.kind, input.fields)
  refuseUndrawable(fields, canDraw)
  for (const { legalName, title } of input.signatories) refuseUndrawable({ legalName, title }, canDraw)
  const markdown = mergeText(text, valuesOf(texts, input, fields))
  const writer = createPageWriter({
    title: `${markdown.split('\n', 1)[0]?.replace(/^# /, '') ?? name}`,
    at: input.at,
    footer: `Template for counsel · document ${input.agreementId}, version ${input.number}`,
  })
  writeMarkdown(writer, markdown)
  const bytes = await writer.finish()
  return {
    templateName: name,
    templateVersion: text.version,
    templateSha256: text.sha256,
    fields,
    markdown,
    fileName: `${name}-${input.agreementId.slice(-8)}-v${input.number}.pdf`,
    bytes,
    sha256: sha256Of(bytes),
  }
}

/** @throws Problem `validation` */
export function parseFields(kind: AgreementKind, fields: unknown): Readonly<Record<string, string | number>> {
  const schema = kind === 'baa' ? baaFields : usageFields
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Problem('validation', {
    field: String(issue?.path[0] ?? 'form'),
    message: issue?.message ?? 'A field can’t be printed in the document.',
  })
}

function valuesOf(texts: AgreementTexts, input: ToRender, fields: Readonly<Record<string, string | number>>) {
  const typed = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
  const signatory = (side: string) => {
    const found = input.signatories.find((named) => named.side === side)
    return found ? `${found.legalName}, ${found.title}` : 'to be named'
  }
  const shared = { documentId: input.agreementId, documentNumber: String(input.number) }
  if (input.kind === 'usage_agreement') {
    const policy = texts.get('usage-policy')
    return {
      ...typed,
      ...shared,
      serviceLegalName: serviceParty.legalName,
      developerSignatory: signatory('developer'),
      policyVersion: policy.version,
      policySha256: policy.sha256,
      termDays: String(agreementTimes.usageAgreementDays),
      renewalDays: String(agreementTimes.renewalWindowDays),
    }
  }
  return {
    ...typed,
    ...shared,
    developerSignatory: signatory('developer'),
    practiceSignatory: signatory('practice'),
    level: input.level === 'full' ? 'Full access (read and write)' : 'Read-only',
    dataClasses: input.dataClasses.map((name) => dataClasses[name as DataClass] ?? name).join('; '),
    purposes: input.purposes.map((name) => purposes[name as Purpose] ?? name).join(' '),
    deidentification: deidentificationRules[fields.deidentification as keyof typeof deidentificationRules],
    offshore: offshoreRules[fields.offshore as keyof typeof offshoreRules],
    subcontractors: String(fields.subcontractors).replace(/\s*\n\s*/g, '; ') || 'None.',
    returnDays: String(agreementTimes.returnOrDestroyDays),
  }
}

// Fills the fields of a text. Typed values are escaped, so that they are not read as Markdown.

const field = /\{\{([a-zA-Z0-9]+)\}\}/g

/** @throws Error if a field of the text has no value, or a value has no field */
export function mergeText({ markdown }: AgreementText, values: Readonly<Record<string, string>>): string {
  const used = new Set<string>()
  const merged = markdown.replace(field, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the text has a field without a value: ${name}`)
    used.add(name)
    return escapeMarkdown(value)
  })
  const unused = Object.keys(values).filter((name) => !used.has(name))
  if (unused.length > 0) throw new Error(`the text has no field for ${unused.join(', ')}`)
  return merged
}

/** Escapes Markdown and keeps line breaks. */
function escapeMarkdown(text: string): string {
  return text
    .split('\n')
    .map((row) => row.trim().replace(/[!-/:-@[-`{-~]/g, '\\$&'))
    .filter((row) => row !== '')
    .join('\\\n')
}

/** @throws Problem `validation` naming a field with a character that the document can't show */
export function refuseUndrawable(
  values: Readonly<Record<string, unknown>>,
  canDraw: (text: string) => boolean,
): void {
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string' && !canDraw(value))
      throw new Problem('validation', {
        field: name,
        message: 'The text has a character that can’t be printed. Use Latin, Greek or Cyrillic letters.',
      })
}
