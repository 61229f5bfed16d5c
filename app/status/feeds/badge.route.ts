/** The platform as a whole in a picture, for pages of others. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../../services.server.ts'
import { statusBadge } from './badge.server.ts'

export const loader = page(
  async ({ context: { services } }: LoaderFunctionArgs) =>
    new Response(statusBadge(await services.status.page()), {
      headers: { 'content-type': 'image/svg+xml; charset=utf-8', 'cache-control': 'no-store' },
    }),
)
