/** The kinds of value that mails hold. */
import { z } from 'zod'

/** One line of text, as people type names. */
export const line = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)
/** Why somebody did something, in their words, as one line. */
export const reasonLine = z
  .string()
  .min(1)
  .max(500)
  .regex(/^\P{Cc}*$/u)
/** The same as it was typed, in several lines, which become one. */
export const typedReason = z
  .string()
  .max(500)
  .transform((text) => text.replace(/\s+/gu, ' ').trim())
export const instant = z.iso.datetime()
export const count = z.number().int().min(0)
export const keyLevel = z.enum(['read_only', 'full'])
export const role = z.enum(['owner', 'admin', 'developer', 'viewer'])
/** Key id without its `svc_`: no mail may hold anything that looks like a key, not even its public part. */
export const keyIdPart = z.string().regex(/^[tl][0-9A-Za-z]{7}$/)

export function describeLevel(level: z.output<typeof keyLevel>): string {
  return level === 'full' ? 'full (reads and writes)' : 'read-only'
}
