import { Outlet, useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { page, readShell } from '../services.server.ts'
import { Shell, useHere } from '../shared/frames/shell.tsx'
import { ShellError } from '../shared/frames/shell-error.tsx'

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
