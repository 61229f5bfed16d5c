import { Outlet, useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { page, readShell } from '../services.server.ts'
import { Shell, ShellError, useHere } from '../shared/frames/shell.tsx'

export const loader = page(readShell)

export default function AccountFrame() {
  return (
    <Shell {...useLoaderData<typeof loader>()} here={useHere('Account')}>
      <Outlet />
    </Shell>
  )
}

export function ErrorBoundary() {
  return <ShellError frame={useRouteLoaderData<typeof loader>('developers/account-frame.route')} />
}
