/** The field of a form that takes a time zone. */
import { z } from 'zod'

export const timeZoneField = z
  .string({ error: 'Choose a time zone.' })
  .refine(isTimeZone, 'Choose a time zone.')

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return /^[A-Za-z0-9_+/-]{1,60}$/.test(name)
  } catch {
    return false
  }
}
