import { Outlet, useLoaderData, useMatches, useRouteLoaderData } from '@remix-run/react'
import { page, readShell } from '../services.server.ts'
import { ErrorCard, ErrorPage, useErrorTitle } from '../shared/frames/error-page.tsx'
import { Shell } from '../shared/frames/shell.tsx'

export const loader = page(readShell)

/** A page about something else than the account names itself in its `handle`. */
function useHere(): string {
  const handle = useMatches().at(-1)?.handle as { here?: string } | undefined
  return handle?.here ?? 'Account'
}

export default function AccountFrame() {
  return (
    <Shell {...useLoaderData<typeof loader>()} here={useHere()}>
      <Outlet />
    </Shell>
  )
}

export function ErrorBoundary() {
  const data = useRouteLoaderData<typeof loader>('developers/account-frame.route')
  const title = useErrorTitle()
  if (!data) return <ErrorPage />
  return (
    <Shell {...data} here={title}>
      <div className="page">
        <ErrorCard />
      </div>
    </Shell>
  )
}
