import { Outlet, useLoaderData, useRouteLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'
import { ErrorCard, ErrorPage } from '../shared/frames/error-page.tsx'
import { Shell } from '../shared/frames/shell.tsx'
import { currentOrganization, getOrganizations } from '../shared/organizations/organization.server.ts'

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, organizations } = await getOrganizations(args)
  const current = currentOrganization(args.request, organizations)
  return {
    account: { name: session.account.name, email: session.account.email },
    organizations: organizations.map(({ slug, name }) => ({ slug, name })),
    organization: current && { slug: current.slug, name: current.name },
  }
})

export default function AccountFrame() {
  return (
    <Shell {...useLoaderData<typeof loader>()} here="Account">
      <Outlet />
    </Shell>
  )
}

export function ErrorBoundary() {
  const data = useRouteLoaderData<typeof loader>('developers/account-frame.route')
  if (!data) return <ErrorPage />
  return (
    <Shell {...data} here="Account">
      <div className="page">
        <ErrorCard />
      </div>
    </Shell>
  )
}
