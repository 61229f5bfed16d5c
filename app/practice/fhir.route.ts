import { type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { getSession, page } from '../services.server.ts'

/** The address that earlier emails and bookmarks have. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  await getSession(args, 'practice')
  return redirect(paths.practiceSettings + new URL(args.request.url).search)
})
