/** Forms of a registration's steps, for reviewers and developers: one per step, distinguished by its intent. */
import { z } from 'zod'
import { reviewTextLength } from '../workflows/registration-checks.ts'
import { stepTarget, stepText } from './step-forms.ts'

export { textFieldOf } from './step-forms.ts'

const words = stepText(reviewTextLength)
const target = stepTarget

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

/** A developer's steps besides the form. */
export const registrationForms = {
  submit: z.object({
    ...target,
    acceptTerms: z.literal('on', { error: 'Accept the registration terms to submit.' }),
    termsVersion: z.string().max(20),
  }),
  resubmit: z.object({ ...target, answers: z.array(z.object({ id: z.uuid(), text: z.string().trim() })) }),
  withdraw: z.object(target),
  appeal: z.object({ ...target, text: z.string().trim() }),
  reopen: z.object(target),
} as const
