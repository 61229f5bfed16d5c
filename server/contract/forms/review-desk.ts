/** Forms of the reviewers' desk that are about no single request: assignment, absences and saved replies. */
import { z } from 'zod'
import { reviewTextLength } from '../workflows/registration-checks.ts'
import { type ReplyPurpose, replyPurposes, replyTitleLength } from '../workflows/saved-replies.ts'
import { stepText } from './step-forms.ts'

const nouns = ['registration', 'production_key_request', 'sandbox_key_request'] as const

/** `noun:id` of a ticked row. */
const picked = z
  .string()
  .regex(/^(registration|production_key_request|sandbox_key_request):[0-9a-f-]{36}$/)
  .transform((text) => {
    const [noun, id] = text.split(':') as [(typeof nouns)[number], string]
    return { noun, id }
  })

export const assignForms = {
  assign: z.object({
    pick: z.array(picked).min(1, 'Select at least one request.').max(50),
    reviewer: z.uuid('Choose a reviewer.'),
  }),
} as const

const date = z.iso.date('Enter a date.')

export const absenceForms = {
  plan: z.object({ substitute: z.uuid('Choose a colleague.'), from: date, until: date }),
  cancel: z.object({ id: z.uuid() }),
} as const

export type ReplyReason = `${ReplyPurpose}:${string}`

/** What a reply is for: a reason of one of the lists. */
export const replyReasons = Object.entries(replyPurposes).flatMap(([purpose, { reasons }]) =>
  Object.keys(reasons).map((code) => `${purpose}:${code}`),
) as [ReplyReason, ...ReplyReason[]]

const reply = {
  reason: z.enum(replyReasons, { error: 'Choose when to use the reply.' }),
  title: stepText(replyTitleLength),
  text: stepText(reviewTextLength),
}

export const savedReplyForms = {
  add: z.object(reply),
  save: z.object({ ...reply, id: z.uuid(), version: z.coerce.number().int().min(0) }),
  delete: z.object({ id: z.uuid() }),
} as const
