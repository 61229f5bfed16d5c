/** Incidents and maintenance as a JSON feed. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { markdownToHtml } from '../../lib/markdown.server.ts'
import { page } from '../../services.server.ts'
import { statusJsonFeed } from './feeds.server.ts'

export const loader = page(
  async ({ context: { services } }: LoaderFunctionArgs) =>
    new Response(
      JSON.stringify(
        statusJsonFeed(await services.status.page(), services.env.STATUS_ORIGIN, markdownToHtml),
      ),
      { headers: { 'content-type': 'application/feed+json; charset=utf-8', 'cache-control': 'no-store' } },
    ),
)
