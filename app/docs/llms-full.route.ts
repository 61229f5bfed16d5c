/** The whole documentation as one Markdown text. https://llmstxt.org */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'
import { addressesOf } from './guides/addresses.server.ts'
import { llmsFullText } from './guides/pages.server.ts'

export const loader = page(({ request, context }: LoaderFunctionArgs) => {
  const { text, hash } = llmsFullText(addressesOf(context))
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'public, no-cache',
    etag: `"${hash}"`,
  }
  const known = request.headers.get('if-none-match') === headers.etag
  return new Response(known ? null : text, { status: known ? 304 : 200, headers })
})
