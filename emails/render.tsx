/** A template and its props → subject, HTML and plain text. */
import { renderToStaticMarkup } from 'react-dom/server'
import { formatInstant } from './format-instant.ts'
import { Layout } from './layout.tsx'
import type { MailTemplate } from './letter.ts'
import { toPlainText } from './plain-text.ts'
import { type MailName, registry } from './registry.ts'
import { fitSubject, quoteNames } from './typed-names.ts'

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
