/** Forms of a practice that changes what a key can read, and how much of it a day. */
import { z } from 'zod'
import { dataClassNames } from '../keys/data-classes.ts'
import { capMax, minutesOf } from '../keys/key-caps.ts'
import { purposeNames } from '../rest/purposes.ts'
import { stepText } from './step-forms.ts'
import { timeZoneField } from './time-zone.ts'

/** An empty field is no cap. */
const count = (most: number) => {
  const error = `Enter a whole number from 1 to ${most.toLocaleString('en-US')}, or leave it empty.`
  return z
    .string({ error })
    .transform((text) => text.replace(/[\s,]/g, ''))
    .pipe(z.string().regex(/^\d{0,9}$/, error))
    .transform((text) => (text === '' ? null : Number(text)))
    .pipe(z.number({ error }).min(1, error).max(most, error).nullable())
}

const time = z
  .string({ error: 'Enter a time as HH:MM, or leave it empty.' })
  .transform((text) => text.trim())
  .pipe(z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/, 'Enter a time as HH:MM, or leave it empty.'))
  .transform((text) => (text === '' ? null : minutesOf(text)))

export const keyAccessForms = {
  narrow: z.object({
    dataClasses: z.array(z.enum(dataClassNames)).min(1, 'Select at least one data class, or stop the key.'),
    purposes: z.array(z.enum(purposeNames)).min(1, 'Select at least one purpose, or stop the key.'),
    /** Of the key, as the page showed it. */
    version: z.coerce.number().int().min(0),
    reason: stepText({ min: 10, max: 500 }),
  }),
  cap: z
    .object({
      callsPerDay: count(capMax.callsPerDay),
      patientsPerDay: count(capMax.patientsPerDay),
      hoursFrom: time,
      hoursUntil: time,
      timeZone: timeZoneField,
      version: z.coerce.number().int().min(0),
      reason: stepText({ min: 10, max: 500 }),
    })
    .superRefine(({ hoursFrom, hoursUntil }, context) => {
      const wrong = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message })
      if ((hoursFrom === null) !== (hoursUntil === null))
        wrong(hoursFrom === null ? 'hoursFrom' : 'hoursUntil', 'Enter both times, or neither.')
      else if (hoursFrom !== null && hoursFrom === hoursUntil)
        wrong('hoursUntil', 'Enter another time than the first one.')
    }),
} as const
