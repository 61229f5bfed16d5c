import { Outlet, useLoaderData, useRouteLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { page, readShell } from '../services.server.ts'
import { ErrorCard } from '../shared/frames/error-page.tsx'
import { PublicFrame } from '../shared/frames/public-frame.tsx'
import { Shell } from '../shared/frames/shell.tsx'
import { findDeveloper } from './calls/caller.server.ts'

/** The frame of every explorer page: the portal's for developers, the public one for others. */
export const loader = page(async (args) => {
  if ((await findDeveloper(args)) === null) return { signedIn: null }
  return { signedIn: await readShell(args) }
})

type FrameData = ReturnType<typeof useLoaderData<typeof loader>>

export default function ExplorerFrame() {
  const { signedIn } = useLoaderData<typeof loader>()
  return (
    <Frame signedIn={signedIn}>
      <Outlet />
    </Frame>
  )
}

function Frame({ signedIn, children }: FrameData & { children: ReactNode }) {
  if (signedIn === null) return <PublicFrame>{children}</PublicFrame>
  return (
    <Shell {...signedIn} here="Explorer" rail>
      {children}
    </Shell>
  )
}

export function ErrorBoundary() {
  const data = useRouteLoaderData<typeof loader>('explorer/frame.route')
  return (
    <Frame signedIn={data?.signedIn ?? null}>
      <div className="ex-page">
        <ErrorCard />
      </div>
    </Frame>
  )
}
