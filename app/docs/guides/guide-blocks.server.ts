/** Converts a guide's Markdown into the blocks of its page: HTML, colored code, and tables. */
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from '../../lib/markdown.server.ts'
import type { GuideSlug } from '../../shared/guides/list.ts'
import { highlight } from '../../shared/snippets/highlight.server.ts'
import { type Addresses, anchorOf, placeAddresses } from './addresses.ts'
import { factsOf } from './facts.server.ts'
import type { Facts } from './facts.ts'
import { commandCode, type ShownCode } from './guide-codes.server.ts'
import { guideSource } from './guide-text.server.ts'

interface LabeledCode {
  /** The name of the language. */
  readonly bar: string
  readonly code: ShownCode
}

export type GuideBlock =
  | { readonly kind: 'text'; readonly html: string }
  | ({ readonly kind: 'code' } & LabeledCode)
  /** The same program in several languages. */
  | { readonly kind: 'languages'; readonly codes: readonly LabeledCode[] }
  | { readonly kind: 'facts'; readonly facts: Facts }

const languages: Record<string, string> = {
  sh: 'Terminal',
  ts: 'TypeScript',
  js: 'JavaScript',
  py: 'Python',
  json: 'JSON',
  http: 'HTTP',
}

/** @throws for an element that guides do not have */
export function guideBlocks(slug: GuideSlug, addresses: Addresses): readonly GuideBlock[] {
  const marked = guideMarked(addresses)
  const blocks: GuideBlock[] = []
  for (const token of marked.lexer(guideSource(slug))) {
    const block = blockOf(token, { slug, addresses, marked })
    const last = blocks.at(-1)
    if (block.kind === 'text' && last?.kind === 'text')
      blocks.splice(-1, 1, { kind: 'text', html: last.html + block.html })
    else if (block.kind === 'code' && isProgram(token) && last?.kind === 'languages')
      blocks.splice(-1, 1, { kind: 'languages', codes: [...last.codes, block] })
    else if (block.kind === 'code' && isProgram(token)) blocks.push({ kind: 'languages', codes: [block] })
    else if (block.kind !== 'text' || block.html !== '') blocks.push(block)
  }
  return blocks
}

/** Adjacent programs in different languages become the tabs of one block. */
const isProgram = (token: Token): boolean => token.type === 'code' && /^(js|py)\b/.test(token.lang ?? '')

interface Guide {
  readonly slug: GuideSlug
  readonly addresses: Addresses
  readonly marked: Marked
}

function blockOf(token: Token, guide: Guide): GuideBlock {
  if (token.type === 'code') return { kind: 'code', ...labeledCode(token as Tokens.Code, guide) }
  if (token.type === 'html') return element(token.raw.trim(), guide)
  return { kind: 'text', html: guide.marked.parser([token]) }
}

function labeledCode({ lang = '', text }: Tokens.Code, { slug, addresses }: Guide): LabeledCode {
  const [language = '', stage = ''] = lang.split(' ')
  return {
    bar: languages[language] ?? 'Text',
    code:
      language === 'sh'
        ? commandCode(text, { stage, file: slug }, addresses)
        : {
            html: highlight(placeAddresses(text, addresses), language),
            others: [],
            explorer: null,
            response: null,
          },
  }
}

function element(text: string, { slug, addresses }: Guide): GuideBlock {
  const [, name, of = ''] = /^<(\w+)(?: of="([a-z-]+)")? \/>$/.exec(text) ?? []
  if (name === 'Facts') return { kind: 'facts', facts: factsOf(of, addresses) }
  throw new Error(`docs/${slug}.mdx: guides have no element ${text}`)
}

/** Adds a link to each heading, and the reader's URLs and values to inline code. */
function guideMarked(addresses: Addresses): Marked {
  return new Marked({
    // Without GFM, bare URLs are no links and there are no Markdown tables: guides use `<Facts>`.
    gfm: false,
    renderer: {
      heading({ tokens, depth, text }) {
        const html = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${html}</h1>`
        const words = text.replaceAll('`', '')
        const id = anchorOf(words)
        // The heading's name must not include the name of its link.
        return `<h${depth} id="${id}" aria-labelledby="${id}-text"><span id="${id}-text">${html}</span><a class="anchor" href="#${id}" aria-label="Link to: ${escapeHtml(words)}">#</a></h${depth}>`
      },
      codespan: ({ text }) => `<code>${escapeHtml(placeAddresses(text, addresses))}</code>`,
    },
  })
}
