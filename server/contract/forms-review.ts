/** Forms of the reviewers' pages: one per step, told apart by its intent. */
import { z } from 'zod'
import { type InfoReason, infoReasons, reviewTextLength } from './registration-checks.ts'

const { min, max } = reviewTextLength

const words = z
  .string({ error: 'Say it in words.' })
  .transform((text) => text.normalize('NFC').replace(/\r\n?/g, '\n').trim())
  .pipe(
    z
      .string()
      .min(min, `Use at least ${min} characters.`)
      .max(max, `Use at most ${max.toLocaleString('en-US')} characters.`),
  )

const target = {
  version: z.coerce.number().int().min(0),
  /** Made with the page: the same form sent twice is done once. */
  idempotencyKey: z.string().regex(/^[\w-]{16,64}$/),
}

export const reviewForms = {
  claim: z.object(target),
  verify: z.object({ ...target, evidence: words }),
  validate: z.object({ ...target, checked: z.array(z.string()) }),
  ask: z.object({ ...target, items: z.array(z.object({ code: z.string(), text: words })) }),
  approve: z.object(target),
  propose: z.object({ ...target, codes: z.array(z.string()), text: words }),
  dismiss: z.object({ ...target, text: words }),
  reject: z.object(target),
  note: z.object({ text: words }),
  suspend: z.object({ ...target, reason: words, evidence: words }),
  reinstate: z.object({ ...target, reason: words }),
  retire: z.object({ ...target, reason: words }),
  retry: z.object({ ...target, reason: words }),
} as const

export type ReviewIntent = keyof typeof reviewForms

export function isReviewIntent(text: unknown): text is ReviewIntent {
  return typeof text === 'string' && Object.hasOwn(reviewForms, text)
}

/** Names of fields have no underscore. */
export const textFieldOf = (code: InfoReason) => `text-${code.replaceAll('_', '-')}`

/** What a page's form says, as its schema reads it: ticked reasons with the words beside each. */
export function toReviewInput(fields: FormData): Record<string, unknown> {
  const codes = fields.getAll('codes').map(String)
  return {
    ...Object.fromEntries([...fields].filter(([, value]) => typeof value === 'string')),
    codes,
    checked: fields.getAll('checked').map(String),
    items: codes.map((code) => ({
      code,
      text: Object.hasOwn(infoReasons, code) ? String(fields.get(textFieldOf(code as InfoReason)) ?? '') : '',
    })),
  }
}
