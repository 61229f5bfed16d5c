/**
 * The documentation for programs: each page as Markdown (its URL with `.md`, or `Accept: text/markdown`), lists of the
 * pages for language models, the search index, and a feed of changes.
 */
import { markdownToHtml } from '../lib/markdown.server.ts'
import { here, mountedAt, page } from '../services.server.ts'
import { addressesOf } from './guides/addresses.server.ts'
import type { Addresses } from './guides/addresses.ts'
import { changelogFeed } from './guides/changelog.server.ts'
import { findDocsPage, llmsFullText, llmsText } from './guides/pages.server.ts'
import { docsIndex } from './guides/search-index.server.ts'

/** `hash` is the ETag of a long text that changes only with a release, so that browsers fetch it once. */
type Text = Readonly<{ type: string; text: string; hash?: string }>

const texts: Readonly<Record<string, (addresses: Addresses) => Text>> = {
  // https://llmstxt.org
  '/llms.txt': (addresses) => ({ type: 'text/plain; charset=utf-8', text: llmsText(addresses) }),
  '/llms-full.txt': (addresses) => ({ type: 'text/plain; charset=utf-8', ...llmsFullText(addresses) }),
  '/docs/search-index.json': (addresses) => ({ type: 'application/json', ...docsIndex(addresses) }),
  '/docs/changelog.xml': ({ portal }) => ({
    type: 'application/rss+xml; charset=utf-8',
    text: changelogFeed(portal, markdownToHtml),
  }),
}

export const loader = page(({ request, context }) => {
  const textOf = texts[mountedAt(request)]
  const addresses = addressesOf(context)
  if (!textOf) return toMarkdown(request, addresses)
  const { type, text, hash } = textOf(addresses)
  if (hash === undefined) return new Response(text, { headers: { 'content-type': type } })
  const headers = { 'content-type': type, 'cache-control': 'public, no-cache', etag: `"${hash}"` }
  const known = request.headers.get('if-none-match') === headers.etag
  return new Response(known ? null : text, { status: known ? 304 : 200, headers })
})

function toMarkdown(request: Request, addresses: Addresses): Response {
  const path = (here(request).split('?')[0] ?? '').replace(/\.md$/, '')
  const found = findDocsPage(path, addresses)
  const headers = { 'content-type': 'text/markdown; charset=utf-8', vary: 'Accept' }
  if (!found) return new Response('# Not here\n\nThere is no such page.\n', { status: 404, headers })
  return new Response(`${found.markdown.trimEnd()}\n`, { headers })
}
