/** A template and its props → subject, HTML and plain text. */
import { renderToStaticMarkup } from 'react-dom/server'
import { Layout } from './layout.tsx'
import type { Letter, MailTemplate } from './letter.ts'
import { type MailName, registry } from './registry.ts'

type RenderedMail = { subject: string; html: string; text: string }

type RenderInput = {
  props: unknown
  /** Absolute URLs of the mail's single-use links, by name. */
  links: Record<string, string>
  /** PUBLIC_ORIGIN. */
  origin: string
  /** IANA zone in which dates are written. */
  zone: string
  /** What to name when asking about this mail. */
  reference: string
}

/** As mail programs expect it; by HTML 5's own doctype some of them lay tables out differently. */
const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'

/** @throws ZodError when the props do not fit; Error when a link is missing */
export async function renderMail(name: MailName, input: RenderInput): Promise<RenderedMail> {
  // The registry's rows differ in their props; each row's own schema brings them together here.
  const template = registry[name] as unknown as MailTemplate<never, string>
  const props = (template.props as { parse(value: unknown): Record<string, unknown> }).parse(input.props)
  const missing = template.links.filter((link) => !input.links[link])
  if (missing.length > 0) throw new Error(`email ${name} is missing its link ${missing.join(', ')}`)
  const letter = template.letter(quoteNames(props, { codes: template.codes ?? [] }) as never, {
    links: input.links,
    page: (path) => `${input.origin}${path}`,
    instant: (iso) => formatInstant(iso, input.zone),
  })
  const parts = { letter, reference: input.reference, home: `${input.origin}/` }
  return {
    subject: fitSubject(template.subject as (props: Record<string, unknown>) => string, props),
    html: doctype + renderToStaticMarkup(<Layout {...parts} />),
    text: toPlainText(parts),
  }
}

/**
 * Names that people type, as emails show them to others: in quotation marks, so that no name can pass for a sentence of
 * ours. The templates name the organization beside its keys and apps. A reader's own name, in the greeting, has none.
 */

const typedNames: ReadonlySet<string> = new Set([
  'appName',
  'keyName',
  'organizationName',
  'formerName',
  'about',
  'by',
  'byName',
  'holder',
  'invitedBy',
  'memberName',
  'reportedBy',
  'requestedBy',
  'signatoryName',
  'sponsorName',
])

/** The longest subject that mail programs show whole. */
const subjectMax = 70
const shortest = 8

/** @param codes fields that hold a code here and a name elsewhere */
function quoteNames<Props extends Record<string, unknown>>(
  props: Props,
  { most = 200, codes = [] }: { most?: number; codes?: readonly string[] } = {},
): Props {
  const isName = (field: string) => typedNames.has(field) && !codes.includes(field)
  const quoted = Object.entries(props).map(([field, value]) => {
    if (Array.isArray(value))
      return [field, value.map((item) => (isRecord(item) ? quoteNames(item, { most, codes }) : item))]
    return [field, typeof value === 'string' && isName(field) ? quote(value, most) : value]
  })
  return Object.fromEntries(quoted) as Props
}

/** A subject with its names cut as far as needed. A cut name keeps its closing mark. */
function fitSubject<Props extends Record<string, unknown>>(subject: (props: Props) => string, props: Props) {
  for (let most = 60; most > shortest; most -= 2) {
    const text = subject(quoteNames(props, { most }))
    if (text.length <= subjectMax) return text
  }
  return subject(quoteNames(props, { most: shortest })).slice(0, subjectMax)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function quote(name: string, most: number): string {
  // A mark within the name would end the quotation early.
  const inner = name.replace(/[“”„«»"]/gu, '’')
  const characters = [...inner]
  return `“${characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : inner}”`
}

// The plain-text form of a letter: the same words in the same order, folded at 76 characters; addresses stay whole.

const WIDTH = 76

function toPlainText({ letter, reference, home }: { letter: Letter; reference: string; home: string }) {
  const block = (label: string, words: string) => `${label}:\n${fold(words, '  ')}`
  const parts = [
    fold(letter.heading),
    fold(letter.happened),
    fold(letter.means),
    block('What to do', letter.todo),
    letter.byWhen ? block('By when', letter.byWhen) : null,
    block('If you do nothing', letter.otherwise),
    letter.action ? `${letter.action.label}:\n  ${letter.action.url}` : null,
    letter.facts.length > 0
      ? letter.facts.map(([label, value]) => fold(`${label}: ${value}`)).join('\n')
      : null,
    `-- \nRequest ${reference}\nSent by Sandpiper, ${home}\nAll patients there are synthetic.`,
  ]
  return `${parts.filter((part) => part !== null).join('\n\n')}\n`
}

function fold(words: string, indent = ''): string {
  const lines: string[] = []
  let current = indent
  for (const word of words.split(' ')) {
    const joined = current === indent ? current + word : `${current} ${word}`
    if (joined.length > WIDTH && current !== indent) {
      lines.push(current)
      current = indent + word
    } else current = joined
  }
  return [...lines, current].join('\n')
}

/** One way to write an instant in a mail: `Mon 30 Nov 2026, 23:59 EST`. */
export function formatInstant(iso: string, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).formatToParts(new Date(iso))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((found) => found.type === type)?.value ?? ''
  const day = `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}`
  return `${day}, ${part('hour')}:${part('minute')} ${part('timeZoneName')}`
}
