import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'
import { readInbox } from '../shared/inbox/inbox.server.ts'
import { InboxList } from '../shared/inbox/inbox-list.tsx'

export const meta: MetaFunction = () => [{ title: 'Inbox · Sandpiper' }]
export const handle = { here: 'Inbox' }

export const loader = page((args: LoaderFunctionArgs) => readInbox(args, 'developer'))

export default function DeveloperInbox() {
  const { listed, now } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <InboxList listed={listed} now={now} />
    </div>
  )
}
