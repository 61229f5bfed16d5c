/** Fills the fields of a text. What people typed stays text: no character of it is read as Markdown. */
import { Problem } from '../../contract/http/problems.ts'
import type { AgreementText } from './agreement-text.ts'

const field = /\{\{([a-zA-Z0-9]+)\}\}/g

/** @throws Error when a field of the text has no value, or a value has no field: a document never has a gap. */
export function mergeText({ markdown }: AgreementText, values: Readonly<Record<string, string>>): string {
  const used = new Set<string>()
  const merged = markdown.replace(field, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the text has a field without a value: ${name}`)
    used.add(name)
    return escapeMarkdown(value)
  })
  const left = Object.keys(values).filter((name) => !used.has(name))
  if (left.length > 0) throw new Error(`the text has no field for ${left.join(', ')}`)
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

/** @throws Problem `validation` on the field that holds a character which the document cannot show */
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
