/** The text of the guides, for their pages, their Markdown and the search. */

import type { GuideSlug } from '../../shared/guides/list.ts'
import { type Addresses, anchorOf, placeAddresses } from './addresses.ts'
import { factsOf } from './facts.server.ts'
import { type Facts, factsAsMarkdown } from './facts.ts'

const files = import.meta.glob<string>('../../../docs/**/*.mdx', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const factsMark = /^<Facts of="([a-z-]+)" \/>$/gm

/** A guide as it was written. @throws when its file is missing */
export function guideSource(slug: GuideSlug): string {
  const text = files[`../../../docs/${slug}.mdx`]
  if (text === undefined) throw new Error(`docs/${slug}.mdx is missing`)
  return text
}

/** The tables that a guide shows, by name. */
export function guideFacts(slug: GuideSlug, addresses: Addresses): Record<string, Facts> {
  const names = [...guideSource(slug).matchAll(factsMark)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, factsOf(name, addresses)]))
}

/** A guide as plain Markdown, with its tables. */
export function guideMarkdown(slug: GuideSlug, addresses: Addresses): string {
  return placeAddresses(
    guideSource(slug)
      .replace(factsMark, (_mark, name: string) => factsAsMarkdown(factsOf(name, addresses)))
      // The words after a fence's language are for tests, not for readers.
      .replace(/^(```\w+).*$/gm, '$1'),
    addresses,
  )
}

interface Section {
  readonly heading: string
  readonly anchor: string
  /** The section's text without Markdown, for the search. */
  readonly text: string
}

/** Splits a Markdown text at its second-level headings. The text before the first is a part without a heading. */
export function sectionsOf(markdown: string): readonly Section[] {
  return markdown
    .replace(/^# .*$/m, '')
    .split(/^## /m)
    .map((part, index) => {
      const [first = '', ...rest] = part.split('\n')
      const heading = index === 0 ? '' : first.replaceAll('`', '').trim()
      return { heading, anchor: anchorOf(heading), text: plain(index === 0 ? part : rest.join('\n')) }
    })
    .filter(({ heading, text }) => heading !== '' || text !== '')
}

/** Longer programs are not searched, because their words would match almost every question. */
const codeLinesMax = 20

function plain(markdown: string): string {
  return markdown
    .replace(/^```[^\n]*\n([\s\S]*?)^```$/gm, (_block, lines: string) =>
      lines.split('\n').length > codeLinesMax ? '' : lines,
    )
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/^\|[-| ]+\|$/gm, '')
    .replace(/[`*]/g, '')
    .replace(/[|>#]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
