import { data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { findMoved } from '../../server/contract/portal/moved.ts'
import { here, page } from '../services.server.ts'

/** Sends on from the old addresses of pages. */
export const loader = page(({ request }: LoaderFunctionArgs) => {
  const to = findMoved(new URL(here(request), request.url))
  if (to === null) throw data(null, { status: 404 })
  return redirect(to)
})
