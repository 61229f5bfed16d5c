/** Forms of the inbox. */
import { z } from 'zod'
import { inboxKinds } from '../workflows/inbox.ts'

/** A snoozed entry comes back at this hour of its day. */
export const snoozeHour = 8
export const snoozeDaysMax = 90

/** The next day, the next Monday, or a date as yyyy-mm-dd. */
export type SnoozeUntil = 'tomorrow' | 'monday' | (string & {})

const subject = {
  kind: z.enum(inboxKinds, { error: 'The form did not arrive whole.' }),
  id: z.uuid({ error: 'The form did not arrive whole.' }),
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
