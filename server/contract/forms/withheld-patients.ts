/** Forms of a practice that withholds a patient from keys and apps, and ends it. */
import { z } from 'zod'
import { limits } from '../http/limits.ts'
import { stepText } from './step-forms.ts'

export const withheldForms = {
  withhold: z.object({
    /** ID of the patient. */
    patient: z.string({ error: 'Choose a patient.' }).min(1, 'Choose a patient.').max(limits.resourceIdMax),
    reason: stepText({ min: 10, max: 500 }),
  }),
  release: z.object({ withheld: z.uuid() }),
  decline: z.object({ request: z.uuid(), reason: stepText({ min: 10, max: 500 }) }),
} as const

/** A patient, or a person who acts for them, asks the practice for no further access. */
export const withholdAskForm = z.object({
  practice: z.uuid(),
  patient: z.string().min(1).max(limits.resourceIdMax),
})
