/** Forms about keys: one schema for the page and for the server. */
import { z } from 'zod'
import { emailAddress } from './email-address.ts'

export const projectDescriptionLength = { min: 50, max: 2_000 } as const

/** One line of text: no line breaks or control characters, spaces folded. */
const oneLine = (missing: string, most: number) =>
  z
    .string({ error: missing })
    .transform((value) => value.normalize('NFC').replace(/\s+/gu, ' ').trim())
    .pipe(
      z
        .string()
        .min(1, missing)
        .max(most, `Use at most ${most} characters.`)
        .regex(/^[^\p{Cc}\p{Cn}\p{Co}]*$/u, 'Leave out control characters.'),
    )

/** Counted in characters as people count them, without the spaces around. */
const description = z
  .string({ error: 'Say what you are building.' })
  .transform((value) => value.normalize('NFC').replace(/\r\n?/g, '\n').trim())
  .pipe(
    z
      .string()
      .refine((value) => [...value].length >= projectDescriptionLength.min, {
        error: `Use at least ${projectDescriptionLength.min} characters: what it does, and for whom.`,
      })
      .refine((value) => [...value].length <= projectDescriptionLength.max, {
        error: `Use at most ${projectDescriptionLength.max.toLocaleString('en-US')} characters.`,
      })
      .regex(/^(?:[^\p{Cc}\p{Cn}\p{Co}]|[\n\t])*$/u, 'Leave out control characters.'),
  )

export const keyLevels = ['read_only', 'full'] as const

export const keyRequestForm = z.object({
  name: oneLine('Name the key, so that you recognise it in a list.', 60),
  projectDescription: description,
  technicalContact: emailAddress,
  level: z.enum(keyLevels, { error: 'Choose what the key may do.' }),
  acceptTerms: z.literal(true, { error: 'Accept the sandbox terms to go on.' }),
  /** The exact text that was shown. */
  termsVersion: z.string().min(1).max(20),
  termsSha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Made with the page: the same form sent twice is one request. */
  idempotencyKey: z.string().regex(/^[\w-]{16,64}$/),
})

export const revokeReasonMax = 200

export const revokeKeyForm = z.object({
  reason: z
    .string()
    .transform((value) => value.normalize('NFC').replace(/\s+/gu, ' ').trim())
    .pipe(
      z
        .string()
        .max(revokeReasonMax, `Use at most ${revokeReasonMax} characters.`)
        .regex(/^[^\p{Cc}\p{Cn}\p{Co}]*$/u),
    )
    .optional(),
})

/** Filters of a key's activity. */
export const activityFilter = z.object({
  status: z.coerce.number().int().min(100).max(599).optional().catch(undefined),
  route: z.string().trim().max(120).optional().catch(undefined),
  correlationId: z.string().trim().max(64).optional().catch(undefined),
})
