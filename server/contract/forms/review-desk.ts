/** The form of the reviewers' queue: requests are assigned to a colleague. */
import { z } from 'zod'

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
