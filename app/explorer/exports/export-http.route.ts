import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { sandboxBase } from '../../lib/api-base.server.ts'
import { page } from '../../services.server.ts'
import { httpFile } from './exports.server.ts'

export const loader = page(
  ({ context }: LoaderFunctionArgs) =>
    new Response(httpFile(sandboxBase(context)), {
      headers: {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': 'attachment; filename="sandpiper-sandbox.http"',
      },
    }),
)
