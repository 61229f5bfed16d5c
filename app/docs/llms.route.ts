/** What language models read first: every page of the documentation, with its Markdown. https://llmstxt.org */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'
import { addressesOf } from './guides/addresses.server.ts'
import { llmsText } from './guides/pages.server.ts'

export const loader = page(
  ({ context }: LoaderFunctionArgs) =>
    new Response(llmsText(addressesOf(context)), {
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    }),
)
