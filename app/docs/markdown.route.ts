/** A page of the documentation as Markdown: its address with `.md`, or `Accept: text/markdown`. */
import { here, page } from '../services.server.ts'
import { addressesOf } from './guides/addresses.server.ts'
import { findDocsPage } from './guides/pages.server.ts'

export const loader = page(({ request, context }) => {
  const path = (here(request).split('?')[0] ?? '').replace(/\.md$/, '')
  const found = findDocsPage(path, addressesOf(context))
  const headers = { 'content-type': 'text/markdown; charset=utf-8', vary: 'Accept' }
  if (!found) return new Response('# Not here\n\nThere is no such page.\n', { status: 404, headers })
  return new Response(`${found.markdown.trimEnd()}\n`, { headers })
})
