/** The index of the documentation, fetched when somebody begins to search. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'
import { addressesOf } from './guides/addresses.server.ts'
import { docsIndex } from './guides/search-index.server.ts'

export const loader = page(({ request, context }: LoaderFunctionArgs) => {
  const { json, hash } = docsIndex(addressesOf(context))
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'public, no-cache',
    etag: `"${hash}"`,
  }
  const known = request.headers.get('if-none-match') === headers.etag
  return new Response(known ? null : json, { status: known ? 304 : 200, headers })
})
