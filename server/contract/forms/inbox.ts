/** Forms of the inbox. */
import { z } from 'zod'
import { inboxKinds } from '../workflows/inbox.ts'

/** A snoozed entry comes back at this hour of its day. */
export const snoozeHour = 8
export const snoozeDaysMax = 90

/** The next day, the next Monday, or a date as yyyy-mm-dd. */
export type SnoozeUntil = 'tomorrow' | 'monday' | (string & {})

const subject = {
  kind: z.enum(inboxKinds, { error: 'The form was incomplete. Reload the page and try again.' }),
  id: z.uuid({ error: 'The form was incomplete. Reload the page and try again.' }),
}

/** By intent: the buttons of an entry. */
export const inboxForms = {
  tomorrow: z.object(subject),
  monday: z.object(subject),
  date: z.object({
    ...subject,
    date: z.iso.date({ error: 'Choose a date.' }),
  }),
  wake: z.object(subject),
} as const

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
