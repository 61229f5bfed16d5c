import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { page } from '../services.server.ts'
import { readInboxSettings, saveInboxSettings } from '../shared/inbox/inbox-settings.server.ts'
import { InboxSettings } from '../shared/inbox/inbox-settings.tsx'

export const meta: MetaFunction = () => [{ title: 'Inbox email · Sandpiper' }]
export const handle = { here: 'Inbox' }

export const loader = page((args: LoaderFunctionArgs) => readInboxSettings(args, 'developer'))
export const action = page((args: ActionFunctionArgs) => saveInboxSettings(args, 'developer'))

export default function Settings() {
  const settings = useLoaderData<typeof loader>()
  return (
    <div className="page narrow">
      <InboxSettings {...settings} inboxPath={paths.inbox} />
    </div>
  )
}
