/** What the forms of a workflow's steps have in common: each names the version it was made for, and is done once. */
import { z } from 'zod'
import { paragraphText } from '../text/typed-text.ts'

export const stepTarget = {
  version: z.coerce.number().int().min(0),
  /** Made with the page: the same form sent twice is done once. */
  idempotencyKey: z.string().regex(/^[\w-]{16,64}$/),
}

/** A text that others will read. */
export const stepText = (bounds: Readonly<{ min: number; max: number }>) =>
  paragraphText({ missing: 'Enter a comment.', ...bounds })

/** The field of the text beside a ticked reason. Names of fields have no underscore. */
export const textFieldOf = (code: string) => `text-${code.replaceAll('_', '-')}`

const lists = [
  'codes',
  'checked',
  'purposes',
  'dataClasses',
  'type',
  'pick',
  'audiences',
  'types',
  'alertsOn',
  'officeDays',
]
const answerField = /^(?:answer|a)-(.+)$/

/** What a posted form says, as its schema reads it: ticked reasons with the text beside each, answers by question. */
export function toStepInput(fields: FormData): Record<string, unknown> {
  const text = (name: string) => {
    const value = fields.get(name)
    return typeof value === 'string' ? value : ''
  }
  return {
    ...Object.fromEntries([...fields].filter(([, value]) => typeof value === 'string')),
    ...Object.fromEntries(lists.map((name) => [name, fields.getAll(name).map(String)])),
    decisions: [...fields].flatMap(([name, value]) => (name.startsWith('decision-') ? [String(value)] : [])),
    items: fields
      .getAll('codes')
      .map((code) => ({ code: String(code), text: text(textFieldOf(String(code))) })),
    answers: [...fields.keys()].flatMap((name) => {
      const id = answerField.exec(name)?.[1]
      return id === undefined ? [] : [{ id, text: text(name) }]
    }),
  }
}
