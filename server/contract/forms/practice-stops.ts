/** Forms of a practice that stops access and resumes it. */
import { z } from 'zod'
import { stepText } from './step-forms.ts'

/** What one stop covers; `everything` is all access to the practice, also what gets it later. */
export type StopScope = 'app' | 'key' | 'organization' | 'everything'

const reason = stepText({ min: 10, max: 500 })

export const stopForms = {
  stop: z.object({
    scope: z.enum(['app', 'key', 'organization'], { error: 'Choose what to stop.' }),
    /** Client ID of the app, or the key's or organization's ID. */
    target: z.string({ error: 'Choose what to stop.' }).min(1).max(128),
    reason,
  }),
  stopEverything: z.object({
    /** The practice's name, typed to confirm. */
    confirmName: z.string({ error: 'Enter the name of the practice.' }).trim().max(200),
    reason,
  }),
  resume: z.object({ stop: z.uuid() }),
} as const
