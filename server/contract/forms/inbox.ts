/** The form of the inbox's email. */
import { z } from 'zod'

/** Hours of the day in the reader's zone between which the email of the day leaves; after an outage that lasts longer, none does. */
export const digestHours = { from: 8, until: 12 } as const
/** How long the link in an email turns it off. */
export const digestLinkDays = 30

export const timeZoneField = z
  .string({ error: 'Choose a time zone.' })
  .refine(isTimeZone, 'Choose a time zone.')

export const digestForm = z.object({
  digest: z
    .literal('on')
    .optional()
    .transform((value) => value === 'on'),
  timeZone: timeZoneField,
})

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return /^[A-Za-z0-9_+/-]{1,60}$/.test(name)
  } catch {
    return false
  }
}
