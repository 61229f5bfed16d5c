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
const asOneLine = (text: string) => text.replace(/\s+/gu, ' ').trim()
/** The same as it was typed, in several lines, which become one. */
export const typedReason = z.string().max(500).transform(asOneLine)
export const typedText = z.string().min(1).max(2_000).transform(asOneLine)
export const typedNote = z.string().max(1_000).transform(asOneLine).nullable()
/** What a reviewer asks for or objects to. */
export const reviewItems = z
  .array(z.object({ sentence: line, text: typedText }))
  .min(1)
  .max(40)
export const instant = z.iso.datetime()
export const instantOrNull = instant.nullable()
export const count = z.number().int().min(0)
export const keyLevel = z.enum(['read_only', 'full'])
export const role = z.enum(['owner', 'admin', 'developer', 'viewer'])
/** Key id without its `svc_`: no mail may hold anything that looks like a key, not even its public part. */
export const keyIdPart = z.string().regex(/^[tl][0-9A-Za-z]{7}$/)

export const exampleId = '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01'

export function describeLevel(level: z.output<typeof keyLevel>): string {
  return level === 'full' ? 'full (reads and writes)' : 'read-only'
}

export function listItems(items: z.output<typeof reviewItems>): [string, string][] {
  return items.map(({ sentence, text }, place) => [`${place + 1}. ${sentence.replace(/\.$/, '')}`, text])
}
