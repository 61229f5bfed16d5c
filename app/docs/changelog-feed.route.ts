/** The changelog as RSS. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { markdownToHtml } from '../lib/markdown.server.ts'
import { page } from '../services.server.ts'
import { addressesOf } from './guides/addresses.server.ts'
import { changelogFeed } from './guides/changelog.server.ts'

export const loader = page(
  ({ context }: LoaderFunctionArgs) =>
    new Response(changelogFeed(addressesOf(context).portal, markdownToHtml), {
      headers: { 'content-type': 'application/rss+xml; charset=utf-8' },
    }),
)
