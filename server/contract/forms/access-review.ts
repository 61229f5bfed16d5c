/** The annual review of everything that reaches a practice's records. */
import { z } from 'zod'
import { stepText } from './step-forms.ts'

/** Once in so many days, and then within so many. */
export const reviewTimes = { everyDays: 365, withinDays: 30, unusedDays: 90 } as const

export const reviewedKinds = ['key', 'other_key', 'system', 'app'] as const
export type ReviewedKind = (typeof reviewedKinds)[number]
export type Decision = Readonly<{ decision: 'keep' | 'remove'; kind: ReviewedKind; id: string }>

/** One of each line: `keep key <id>`. */
const decision = z
  .string()
  .max(200)
  .transform((text, context): Decision => {
    const [made, kind, id, ...more] = text.split(' ')
    const known = reviewedKinds.find((each) => each === kind)
    if ((made === 'keep' || made === 'remove') && known && id && more.length === 0)
      return { decision: made, kind: known, id }
    context.addIssue({ code: 'custom', message: 'Choose keep or remove for each line.' })
    return z.NEVER
  })

export const accessReviewForms = {
  sign: z.object({
    decisions: z.array(decision, { error: 'Choose keep or remove for each line.' }).min(1).max(5_000),
    note: stepText({ min: 10, max: 500 }),
  }),
} as const
