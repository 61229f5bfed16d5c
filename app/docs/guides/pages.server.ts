/** Every page of the documentation as Markdown, by path. */

import { createHash } from 'node:crypto'
import type { RestCode } from '../../../server/contract/http/problems.ts'
import { docsMcpPath } from '../../../server/contract/mcp/docs-tools.ts'
import { findMoved } from '../../../server/contract/portal/moved.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  errorCodes,
  errorPage,
  isErrorCode,
  retryWords,
  statusOf,
} from '../../../server/contract/rest/error-codes.ts'
import { docsHome, guidePath } from '../../shared/guides/guide-path.ts'
import { doors, guides, isGuideSlug } from '../../shared/guides/list.ts'
import {
  findReferencePage,
  indexMarkdown,
  indexSummary,
  referenceMarkdown,
  referencePages,
} from '../reference/reference.server.ts'
import type { ReferencePage } from '../reference/reference-page.ts'
import type { Addresses } from './addresses.ts'
import { changelogMarkdown } from './changelog.server.ts'
import { guideMarkdown } from './guide-text.server.ts'

export interface DocsPage {
  readonly path: string
  readonly title: string
  readonly summary: string
  readonly markdown: string
}

const changelogPath = `${docsHome}/changelog`

/** A page by its path, old paths included; null if there is none. */
export function findDocsPage(path: string, addresses: Addresses): DocsPage | null {
  if (path === docsHome) return indexPage(addresses)
  if (path === changelogPath) return changelogPage()
  if (path === paths.reference) return referenceIndexPage()
  const reference = findReferencePage(path)
  if (reference) return referencePage(reference, addresses)
  const slug = path.slice(docsHome.length + 1)
  if (isGuideSlug(slug)) return guidePage(slug, addresses)
  const code = slug.replace(/^errors\//, '')
  if (code !== slug && isErrorCode(code)) return codePage(code)
  const to = findMoved({ pathname: path, search: '' })
  return to === null ? null : findDocsPage(to.replace(/#.*/, ''), addresses)
}

/** All pages except the index. */
export function docsPages(addresses: Addresses): readonly DocsPage[] {
  return [
    ...guides.map(({ slug }) => guidePage(slug, addresses)),
    ...Object.keys(errorCodes).filter(isErrorCode).map(codePage),
    referenceIndexPage(),
    ...referencePages().map((page) => referencePage(page, addresses)),
    changelogPage(),
  ]
}

function guidePage(slug: (typeof guides)[number]['slug'], addresses: Addresses): DocsPage {
  const { title, summary } = guides.find((row) => row.slug === slug) ?? { title: slug, summary: '' }
  return { path: guidePath(slug), title, summary, markdown: guideMarkdown(slug, addresses) }
}

function referenceIndexPage(): DocsPage {
  return { path: paths.reference, title: 'Reference', summary: indexSummary, markdown: indexMarkdown() }
}

function referencePage(page: ReferencePage, addresses: Addresses): DocsPage {
  const { path, title, summary } = page
  return { path, title, summary, markdown: referenceMarkdown(page, addresses) }
}

function changelogPage(): DocsPage {
  return {
    path: changelogPath,
    title: 'Changelog',
    summary: 'Changes to the APIs and the portal.',
    markdown: changelogMarkdown,
  }
}

function codePage(code: RestCode): DocsPage {
  const { when, fix, retry } = errorCodes[code]
  return {
    path: errorPage(code),
    title: code,
    summary: when,
    markdown: [
      `# \`${code}\``,
      `Status ${statusOf(code)}`,
      '## When',
      when,
      '## What to do',
      fix,
      '## Retry?',
      retryWords[retry],
      `[All errors](${errorPage()})`,
    ].join('\n\n'),
  }
}

function indexPage({ portal }: Addresses): DocsPage {
  const summary = 'Guides to the FHIR, Bulk Data, REST and Status APIs. No sign-in needed.'
  return {
    path: docsHome,
    title: 'Documentation',
    summary,
    markdown: ['# Documentation', summary, ...guideLists(portal)].join('\n\n'),
  }
}

/** https://llmstxt.org */
export function llmsText({ portal, rest }: Addresses): string {
  const codes = Object.keys(errorCodes)
    .filter(isErrorCode)
    .map((code) => `- [${code}](${portal}${errorPage(code)}.md): ${statusOf(code)}`)
  return [
    '# Sandpiper',
    '> Developer portal and sandbox of an electronic medical records service: a read-only FHIR R4 API (US Core 6.1.0, SMART App Launch 2), Bulk Data export, a REST API with API keys and MCP, and a public Status API. All people in the sandbox are synthetic.',
    'API keys belong on a server and never in a browser. Every list below links to Markdown.',
    `The documentation has an MCP server of its own, without a key: ${portal}${docsMcpPath} (tools search_docs and read_doc).`,
    ...guideLists(portal),
    '## Reference pages',
    referencePages()
      .map(({ path, title, summary }) => `- [${title}](${portal}${path}.md): ${summary}`)
      .join('\n'),
    '## Codes of the REST API',
    codes.join('\n'),
    '## Optional',
    `- [Changelog](${portal}${changelogPath}.md): changes to what the interfaces promise\n- [Everything in one text](${portal}/llms-full.txt): every page of the documentation\n- [OpenAPI 3.1 document](${rest}/sandbox/api/v1/openapi.json)`,
    '',
  ].join('\n\n')
}

let cachedText: { portal: string; text: string; hash: string } | undefined

/** Every page in one text, for language models. It is the same until the next release. */
export function llmsFullText(addresses: Addresses): { text: string; hash: string } {
  if (cachedText?.portal !== addresses.portal) {
    const { portal } = addresses
    const parts = docsPages(addresses).map(
      ({ path, markdown }) => `<!-- ${portal}${path} -->\n\n${markdown.trim()}`,
    )
    const text = `${parts.join('\n\n---\n\n')}\n`
    cachedText = { portal, text, hash: createHash('sha256').update(text).digest('base64url').slice(0, 22) }
  }
  return cachedText
}

function guideLists(portal: string): string[] {
  return doors.flatMap((door) => [
    `## ${door}`,
    guides
      .filter((guide) => guide.door === door)
      .map(({ slug, title, summary }) => `- [${title}](${portal}${guidePath(slug)}.md): ${summary}`)
      .join('\n'),
  ])
}
