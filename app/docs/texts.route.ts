/** The documentation for programs: lists of its pages for language models, the index of its search, a feed of its changes. */
import { data } from '@remix-run/server-runtime'
import { markdownToHtml } from '../lib/markdown.server.ts'
import { page } from '../services.server.ts'
import { addressesOf } from './guides/addresses.server.ts'
import type { Addresses } from './guides/addresses.ts'
import { changelogFeed } from './guides/changelog.server.ts'
import { llmsFullText, llmsText } from './guides/pages.server.ts'
import { docsIndex } from './guides/search-index.server.ts'

/** `hash`: of a long text that stays the same until the next release; a browser that has it fetches it once. */
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
  const textOf = texts[new URL(request.url).pathname.toLowerCase().replace(/\/+$/, '')]
  if (!textOf) throw data(null, { status: 404 })
  const { type, text, hash } = textOf(addressesOf(context))
  if (hash === undefined) return new Response(text, { headers: { 'content-type': type } })
  const headers = { 'content-type': type, 'cache-control': 'public, no-cache', etag: `"${hash}"` }
  const known = request.headers.get('if-none-match') === headers.etag
  return new Response(known ? null : text, { status: known ? 304 : 200, headers })
})
