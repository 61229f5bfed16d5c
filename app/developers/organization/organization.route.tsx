import { Outlet, useLoaderData, useMatches, useRouteLoaderData } from '@remix-run/react'
import { loadUnlessLost } from '../../lib/lost-connection.ts'
import { currentOrganizationCookie, getOrganization, page, setCookie } from '../../services.server.ts'
import { ErrorCard, ErrorPage, useErrorData, useErrorTitle } from '../../shared/frames/error-page.tsx'
import { Shell } from '../../shared/frames/shell.tsx'

export const shouldRevalidate = loadUnlessLost

export const loader = page(async (args) => {
  const { session, organizations, organization } = await getOrganization(args)
  const cookie = currentOrganizationCookie(args.request, organization.slug)
  if (cookie) setCookie(args.context, cookie)
  const { keys, inbox } = args.context.services
  const { accountId } = session
  const [waiting, inInbox] = await Promise.all([
    keys.countClaimable({ organizationId: organization.id, accountId }),
    inbox.count({}, { accountId }),
  ])
  return {
    account: { name: session.account.name, email: session.account.email },
    organizations: organizations.map(({ slug, name }) => ({ slug, name })),
    organization: { slug: organization.slug, name: organization.name },
    waiting,
    inbox: inInbox,
  }
})

/** Each page names itself in its `handle`. */
function useHere(): string {
  const handle = useMatches().at(-1)?.handle as { here?: string } | undefined
  return handle?.here ?? 'Home'
}

export default function OrganizationFrame() {
  const data = useLoaderData<typeof loader>()
  const here = useHere()
  return (
    <Shell {...data} here={here}>
      <Outlet />
    </Shell>
  )
}

/** A page that fails leaves its frame standing. */
export function ErrorBoundary() {
  const data = useRouteLoaderData<typeof loader>('developers/organization/organization.route')
  const { shell } = useErrorData()
  const title = useErrorTitle()
  const frame = data ?? shell
  if (!frame) return <ErrorPage />
  return (
    <Shell {...frame} here={title}>
      <div className="page">
        <ErrorCard />
      </div>
    </Shell>
  )
}
