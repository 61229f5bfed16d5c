import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { sandboxBase } from '../../lib/api-base.server.ts'
import { page } from '../../services.server.ts'
import { postmanCollection } from './exports.server.ts'

export const loader = page(
  ({ context }: LoaderFunctionArgs) =>
    new Response(JSON.stringify(postmanCollection(sandboxBase(context)), null, 2), {
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Disposition': 'attachment; filename="sandpiper-sandbox.postman_collection.json"',
      },
    }),
)
