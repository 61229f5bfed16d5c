/** Mail addresses as people type them and as they are kept. */
import { z } from 'zod'

/** One spelling per address: NFKC, trimmed, lower case. */
export function normalizeEmail(value: string): string {
  return value.normalize('NFKC').trim().toLowerCase()
}

/** A mail address, normalised. At most 254 characters (RFC 5321 §4.5.3.1.3). */
export const emailAddress = z
  .string({ error: 'Enter your mail address.' })
  .transform(normalizeEmail)
  .pipe(
    z
      .string()
      .min(1, 'Enter a mail address.')
      .max(254, 'This address is too long: 254 characters at most.')
      .regex(z.regexes.email, 'Enter a mail address such as name@company.example.'),
  )
