import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { OwnSessions } from '../components/account/own-sessions.tsx'
import { endOwnSession, loadOwnSessions } from '../own-sessions.server.ts'
import { page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Sessions · Sandpiper' }]

export const loader = page((args: LoaderFunctionArgs) => loadOwnSessions(args, 'developer'))
export const action = page((args: ActionFunctionArgs) => endOwnSession(args, 'developer', paths.sessions))

export default function Sessions() {
  const { sessions, sessionHours } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <OwnSessions sessions={sessions} sessionHours={sessionHours} />
    </div>
  )
}
