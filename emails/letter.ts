/**
 * What every mail says, in this order: what happened, what it means, what to do, by when, what happens
 * otherwise, where to go. Templates give the words; `layout.tsx` and `render.tsx` give the two forms.
 */
import { z } from 'zod'

export type Letter = {
  /** The line that mail programs show beside the subject. */
  preview: string
  heading: string
  happened: string
  means: string
  todo: string
  /** A date with its zone, or a sentence; null when nothing is due. */
  byWhen: string | null
  otherwise: string
  action: { label: string; url: string } | null
  facts: readonly (readonly [label: string, value: string])[]
}

type LetterContext<Link extends string> = {
  /** Absolute URLs of the mail's single-use links. */
  links: Record<Link, string>
  /** The absolute URL of a page of the portal. */
  page(path: string): string
  /** An ISO instant as a date with its zone. */
  instant(iso: string): string
}

export type MailTemplate<Schema extends z.ZodType, Link extends string> = {
  /** What may stand in the mail; checked when the mail is written to the outbox. */
  props: Schema
  /** Names of the single-use links that the sender must supply. */
  links: readonly Link[]
  /** Fields that hold a code, though they hold a name that a person typed in other mails. */
  codes?: readonly string[]
  subject(props: z.output<Schema>): string
  letter(props: z.output<Schema>, context: LetterContext<Link>): Letter
  /** For the preview page and the tests. */
  example: z.input<Schema>
}

export function defineMail<Schema extends z.ZodType, const Link extends string = never>(
  template: MailTemplate<Schema, Link>,
): MailTemplate<Schema, Link> {
  return template
}

// The kinds of value that mails hold.

/** One line of text, as people type names. */
export const line = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)
/** A reason in the words of the person who gave it, on one line. */
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

export const describeLevel = (level: z.output<typeof keyLevel>): string =>
  level === 'full' ? 'full (reads and writes)' : 'read-only'

export const listItems = (items: z.output<typeof reviewItems>): [string, string][] =>
  items.map(({ sentence, text }, place) => [`${place + 1}. ${sentence.replace(/\.$/, '')}`, text])
