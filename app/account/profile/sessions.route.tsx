import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { page } from '../../services.server.ts'
import { endOwnSession, loadOwnSessions } from '../../shared/sign-in/own-sessions.server.ts'
import { OwnSessions } from '../../shared/sign-in/own-sessions.tsx'

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
