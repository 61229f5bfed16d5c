import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { pageOf, readPageAsk } from '../../../server/contract/portal/paging.ts'

/** The practices to choose from: names and places of the public directory, and nothing else. */
export async function listPractices({ context, request }: LoaderFunctionArgs) {
  const ask = readPageAsk(new URL(request.url).searchParams)
  const listed = pageOf(ask, await context.services.directory.search('production', ask.q))
  const rows = listed.rows.map(({ slug, name, npi, address }) => ({
    slug,
    name,
    npi,
    place: address && `${address.city}, ${address.state} ${address.postalCode}`,
  }))
  return { ...listed, q: ask.q, rows }
}
