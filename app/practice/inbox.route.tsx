import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'
import { changeInbox, readInbox } from '../shared/inbox/inbox.server.ts'
import { InboxList } from '../shared/inbox/inbox-list.tsx'

export const meta: MetaFunction = () => [{ title: 'Inbox · Sandpiper' }]
export const handle = { here: 'Inbox' }

export const loader = page((args: LoaderFunctionArgs) => readInbox(args, 'practice'))
export const action = page((args: ActionFunctionArgs) => changeInbox(args, 'practice'))

export default function PracticeInbox() {
  return <InboxList {...useLoaderData<typeof loader>()} />
}
