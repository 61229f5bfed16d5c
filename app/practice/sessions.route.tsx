import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { page } from '../services.server.ts'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'
import { endOwnSession, loadOwnSessions } from '../shared/sign-in/own-sessions.server.ts'
import { OwnSessions } from '../shared/sign-in/own-sessions.tsx'

export const meta: MetaFunction = () => [{ title: 'Sessions · Sandpiper' }]

export const loader = page((args: LoaderFunctionArgs) => loadOwnSessions(args, 'practice'))
export const action = page((args: ActionFunctionArgs) =>
  endOwnSession(args, 'practice', paths.practiceSessions),
)

export default function Sessions() {
  const { account, ...own } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="practice">
      <OwnSessions {...own} />
    </ConsoleFrame>
  )
}
