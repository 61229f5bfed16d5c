/** Mail addresses as people type them and as they are kept. */
import { z } from 'zod'
import { normalize } from './normalize.ts'
import { findSecret } from './secret-patterns.ts'

/** One spelling per address: NFKC, trimmed, lower case, an international domain in its ASCII form (RFC 5891). */
export function normalizeEmail(value: string): string {
  const address = normalize(value, 'NFKC').trim().toLowerCase()
  const [, name, domain] = /^([^@]+)@([^@/?#\\:[\]\s]*[^\0-\x7f][^@/?#\\:[\]\s]*)$/.exec(address) ?? []
  return domain && URL.canParse(`http://${domain}`)
    ? `${name}@${new URL(`http://${domain}`).hostname}`
    : address
}

const tooLong = 'This address is too long. Use at most 254 characters.'

/**
 * A mail address, normalised. At most 254 characters (RFC 5321 §4.5.3.1.3). One that reads like a key is most likely
 * a key in the wrong field, and no mail to it would ever leave.
 */
export const emailAddress = z
  .string({ error: 'Enter your email address.' })
  .max(1_000, { error: tooLong, abort: true })
  .refine((value) => ![normalize(value, 'NFKC'), normalizeEmail(value)].some(findSecret), {
    error: 'This looks like a key or a token. Enter an email address without one.',
    abort: true,
  })
  .transform(normalizeEmail)
  .pipe(
    z
      .string()
      .min(1, 'Enter an email address.')
      .max(254, tooLong)
      .regex(z.regexes.email, 'Enter an email address such as name@company.example.'),
  )
