/**
 * The template of most emails: those about one subject share fields, facts and the page that they lead to. Each email is
 * a row of its own fields and its words.
 */
import { z } from 'zod'
import { defineMail, instant, instantOrNull, type MailTemplate } from './letter.ts'

/** By name: the schema of a field, and its value in the example. */
type Fields = Readonly<Record<string, readonly [schema: z.ZodType, example: unknown]>>
type Checked<Given extends Fields> = {
  readonly [Name in keyof Given]: readonly [Given[Name][0], z.input<Given[Name][0]>]
}
type Schema<Given extends Fields> = z.ZodObject<{ -readonly [Name in keyof Given]: Given[Name][0] }>
type All<Shared extends Fields, Own extends Fields> = Omit<Shared, keyof Own> & Own
/** What the words are made of: instants are dates with their zone here, and names that people typed are quoted. */
type Shown<Given extends Fields> = z.output<Schema<Given>>

/** A fact without a value is left out. */
type Fact = readonly [label: string, value: string | null]

type Words = {
  subject: string
  /** As the subject, if it is left out. */
  heading?: string
  /** Follows a greeting in emails that have the reader's name. */
  happened: string
  means: string
  /** As what it means, if it is left out. */
  preview?: string
  todo: string
  byWhen?: string | null
  otherwise: string
  button: string
  /** In place of where the emails about this subject lead. */
  page?: string
  /** Before those that the emails about this subject share. */
  facts?: readonly Fact[]
}

export function emailsAbout<const Shared extends Fields>(
  shared: Shared & Checked<Shared>,
  common: { page?: (props: Shown<Shared>) => string; facts?: (props: Shown<Shared>) => readonly Fact[] } = {},
) {
  function email<const Own extends Fields>(
    own: Own & Checked<Own>,
    words: (props: Shown<All<Shared, Own>>) => Words,
  ): MailTemplate<Schema<All<Shared, Own>>, never> {
    return compose<Own, never>([], own, words)
  }

  /** @param link the single-use link that the button opens */
  function emailWithLink<const Own extends Fields, const Link extends string>(
    link: Link,
    own: Own & Checked<Own>,
    words: (props: Shown<All<Shared, Own>>) => Words,
  ): MailTemplate<Schema<All<Shared, Own>>, Link> {
    return compose<Own, Link>([link], own, words)
  }

  function compose<Own extends Fields, Link extends string>(
    links: readonly Link[],
    own: Own,
    words: (props: Shown<All<Shared, Own>>) => Words,
  ) {
    const fields: Fields = { ...shared, ...own }
    const pick = (place: 0 | 1) =>
      Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[place]]))
    return defineMail<Schema<All<Shared, Own>>, Link>({
      props: z.object(pick(0)) as unknown as Schema<All<Shared, Own>>,
      links,
      subject: (props) => words(props).subject,
      letter(props, { links: urls, page, instant: write }) {
        const shown = Object.fromEntries(
          Object.entries(props).map(([name, value]) => [
            name,
            isInstant(fields[name]?.[0]) && value !== null ? write(value as string) : value,
          ]),
        ) as typeof props
        const { subject, button, page: path, facts = [], byWhen = null, ...sentences } = words(shown)
        const [link] = links
        const greeting = 'name' in shown ? `Hello ${shown.name}. ` : ''
        return {
          heading: subject,
          preview: sentences.means,
          ...sentences,
          happened: greeting + sentences.happened,
          byWhen,
          action: {
            label: button,
            url: link && !path ? urls[link] : page(path ?? common.page?.(shown as never) ?? '/'),
          },
          facts: [...facts, ...(common.facts?.(shown as never) ?? [])].filter(hasValue),
        }
      },
      example: pick(1) as z.input<Schema<All<Shared, Own>>>,
    })
  }

  return { email, emailWithLink }
}

const isInstant = (schema: unknown) => schema === instant || schema === instantOrNull
const hasValue = (fact: Fact): fact is readonly [string, string] => fact[1] !== null && fact[1] !== ''
