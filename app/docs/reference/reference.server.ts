/** The pages of the reference, generated once per process, as HTML and as Markdown. */
import { type Addresses, placeAddresses } from '../guides/addresses.ts'
import { type Facts, factsAsMarkdown } from '../guides/facts.ts'
import { commandCode, type ShownCode } from '../guides/guide-codes.server.ts'
import { findResponse } from '../guides/responses.server.ts'
import { fhirPages } from './fhir-pages.server.ts'
import {
  type ReferenceBlock,
  type ReferencePage,
  referenceGroups,
  responsesFileOf,
} from './reference-page.ts'
import { restPages } from './rest-pages.server.ts'
import { rulePages } from './rule-pages.server.ts'

let cached: readonly ReferencePage[] | undefined

export function referencePages(): readonly ReferencePage[] {
  cached ??= [...restPages(), ...fhirPages(), ...rulePages()]
  return cached
}

export const findReferencePage = (path: string): ReferencePage | null =>
  referencePages().find((page) => page.path === path) ?? null

export type ShownBlock =
  | { readonly kind: 'text' | 'heading'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: Facts }
  | { readonly kind: 'code'; readonly code: ShownCode }

export function showPage(page: ReferencePage, addresses: Addresses): readonly ShownBlock[] {
  return page.blocks.map((block) =>
    block.kind === 'command'
      ? {
          kind: 'code',
          code: commandCode(block.command, { stage: block.stage, file: responsesFileOf(page) }, addresses),
        }
      : block,
  )
}

export function referenceMarkdown(page: ReferencePage, addresses: Addresses): string {
  const parts = page.blocks.map((block) => blockMarkdown(page, block))
  return placeAddresses([`# ${page.title}`, ...parts].join('\n\n'), addresses)
}

function blockMarkdown(page: ReferencePage, block: ReferenceBlock): string {
  if (block.kind === 'heading') return `## ${block.text}`
  if (block.kind === 'text') return block.text
  if (block.kind === 'facts') return factsAsMarkdown(block.facts)
  const response = findResponse(responsesFileOf(page), block.command)
  const sample = response?.body ? ['', `Response, ${response.status}:`, '', '```', response.body, '```'] : []
  return ['```sh', block.command, '```', ...sample].join('\n')
}

/** The index of the reference, which lists the pages in their groups. */
export function referenceIndex(): readonly { group: string; pages: readonly ReferencePage[] }[] {
  return referenceGroups.map((group) => ({
    group,
    pages: referencePages().filter((page) => page.group === group),
  }))
}

export const indexSummary =
  'Every operation, type and OAuth error, from the tables that the service itself runs on.'

export function indexMarkdown(): string {
  const lists = referenceIndex().map(({ group, pages }) =>
    [`## ${group}`, '', ...pages.map(({ path, title, summary }) => `- [${title}](${path}): ${summary}`)].join(
      '\n',
    ),
  )
  return [`# Reference`, indexSummary, ...lists].join('\n\n')
}
