/** Incidents and maintenance as RSS. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { markdownToHtml } from '../../lib/markdown.server.ts'
import { page } from '../../services.server.ts'
import { statusRss } from './feeds.server.ts'

export const loader = page(
  async ({ context: { services } }: LoaderFunctionArgs) =>
    new Response(statusRss(await services.status.page(), services.env.STATUS_ORIGIN, markdownToHtml), {
      headers: { 'content-type': 'application/rss+xml; charset=utf-8', 'cache-control': 'no-store' },
    }),
)
