import { redirect } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { doneCookie } from '../lib/flash.ts'
import { currentOrganization, getSession, page } from '../services.server.ts'

/** From an address without an organization to the same page of the current one, or of the one its query names. */
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
