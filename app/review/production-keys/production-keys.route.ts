import { type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { getSession, page } from '../../services.server.ts'

/** Emails link here. The queue shows production keys among everything else. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  await getSession(args, 'staff')
  return redirect(`${paths.reviewQueue}?kind=production_key`)
})
