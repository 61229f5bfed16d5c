import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'
import { changeInbox, readInbox } from '../shared/inbox/inbox.server.ts'
import { InboxList } from '../shared/inbox/inbox-list.tsx'

export const meta: MetaFunction = () => [{ title: 'Inbox · Sandpiper' }]

export const loader = page((args: LoaderFunctionArgs) => readInbox(args, 'practice'))
export const action = page((args: ActionFunctionArgs) => changeInbox(args, 'practice'))

export default function PracticeInbox() {
  const { account, ...data } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="practice">
      <InboxList {...data} />
    </ConsoleFrame>
  )
}
