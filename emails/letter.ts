/**
 * What every mail says, in this order: what happened, what it means, what to do, by when, what happens
 * otherwise, where to go. Templates give the words; `layout.tsx` and `plain-text.ts` give the two forms.
 */
import type { z } from 'zod'

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

export type LetterContext<Link extends string> = {
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
  /** Fields that hold a code, though they hold a name that somebody typed in other mails. */
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
