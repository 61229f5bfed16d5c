import { Outlet, useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { loadUnlessLost } from '../../lib/lost-connection.ts'
import { currentOrganizationCookie, getOrganization, page, setCookie } from '../../services.server.ts'
import { useErrorData } from '../../shared/frames/error-page.tsx'
import { Shell, useHere } from '../../shared/frames/shell.tsx'
import { ShellError } from '../../shared/frames/shell-error.tsx'

export const shouldRevalidate = loadUnlessLost

export const loader = page(async (args) => {
  const { session, organizations, organization, member } = await getOrganization(args)
  const cookie = currentOrganizationCookie(args.request, organization.slug)
  if (cookie) setCookie(args.context, cookie)
  const { keys, inbox } = args.context.services
  const [waiting, inboxCount] = await Promise.all([keys.countClaimable(member), inbox.count({}, session)])
  return {
    account: { name: session.account.name, email: session.account.email },
    organizations: organizations.map(({ slug, name }) => ({ slug, name })),
    organization: { slug: organization.slug, name: organization.name },
    waiting,
    inbox: inboxCount,
  }
})

export default function OrganizationFrame() {
  return (
    <Shell {...useLoaderData<typeof loader>()} here={useHere('Home')}>
      <Outlet />
    </Shell>
  )
}

export function ErrorBoundary() {
  const data = useRouteLoaderData<typeof loader>('developers/organization/organization.route')
  const { shell } = useErrorData()
  return <ShellError frame={data ?? shell} />
}
