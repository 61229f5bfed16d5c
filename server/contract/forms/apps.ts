/** Forms of an app's page. */
import { z } from 'zod'

const slug = z
  .string({ error: 'Enter the practice’s short name.' })
  .trim()
  .regex(/^[a-z0-9-]{1,100}$/, 'Enter the practice’s short name, as in its FHIR base.')

/** An assertion to be looked at; nothing of it is kept. */
export const assertionForm = z.object({
  practice: slug,
  assertion: z
    .string({ error: 'Paste the assertion.' })
    .transform((text) => text.replace(/\s+/g, ''))
    .pipe(z.string().min(1, 'Paste the assertion.').max(8_192, 'The assertion is too long.')),
})

/** Asking a practice for its data. */
export const systemRequestForm = z.object({
  practice: slug,
  scope: z.string({ error: 'Enter the scopes.' }).max(8_192, 'The list of scopes is too long.'),
  purpose: z
    .string({ error: 'Enter the purpose.' })
    .trim()
    .min(10, 'Describe the purpose in at least 10 characters.')
    .max(2_000, 'Use at most 2,000 characters.'),
})
