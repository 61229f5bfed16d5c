/** The status page as Markdown. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../../services.server.ts'
import { statusMarkdown } from './markdown.server.ts'

export const loader = page(
  async ({ context: { services } }: LoaderFunctionArgs) =>
    new Response(statusMarkdown(await services.status.page(), services.env.STATUS_ORIGIN), {
      headers: { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'no-store' },
    }),
)
