/** The form that gets a token in the portal. */
import { z } from 'zod'
import { scopeCharactersMax } from '../smart/scopes.ts'

const optional = z
  .string()
  .max(200)
  .optional()
  .transform((text) => text || null)

export const appTokenForm = z.object({
  /** `wren.testwell` for a clinician; for a patient also whose record, `wren.testwell:pt-wren-testwell`. */
  person: optional,
  /** In front of the clinician. */
  patient: optional,
  scope: z
    .string({ error: 'Enter at least one scope.' })
    .trim()
    .max(scopeCharactersMax, 'The list of scopes is too long.'),
})
