import { redirect } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { doneCookie } from '../lib/flash.ts'
import { currentOrganization, getSession, page } from '../services.server.ts'

/** Redirects to the page of the organization in the query, or of the current one. */
export const loader = page(async (args) => {
  const { organizations } = await getSession(args, 'developer')
  const { pathname, searchParams } = new URL(args.request.url)
  const named = organizations.find(({ slug }) => slug === searchParams.get('organization'))
  const current = named ?? currentOrganization(args.request, organizations)
  if (!current) return redirect(paths.newOrganization)
  const headers = new Headers()
  if (searchParams.has('stored')) headers.append('set-cookie', doneCookie('key_stored'))
  const wantsKeys = pathname.startsWith(paths.keys)
  return redirect(wantsKeys ? paths.organizationKeys(current.slug) : paths.organization(current.slug), {
    headers,
  })
})
