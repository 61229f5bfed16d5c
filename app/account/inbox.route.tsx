import { type MetaFunction, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { realmOf } from '../lib/sign-in-paths.ts'
import { page } from '../services.server.ts'
import { RealmPage } from '../shared/frames/realm-page.tsx'
import { changeInbox, readInbox } from '../shared/inbox/inbox.server.ts'
import { InboxList } from '../shared/inbox/inbox-list.tsx'

export const meta: MetaFunction = () => [{ title: 'Inbox · Sandpiper' }]
export const handle = { here: 'Inbox' }

export const loader = page((args: LoaderFunctionArgs) => readInbox(args, realmOf(args.request)))
export const action = page((args: ActionFunctionArgs) => changeInbox(args, realmOf(args.request)))

export default function InboxPage() {
  const data = useLoaderData<typeof loader>()
  return (
    <RealmPage>
      <InboxList {...data} />
    </RealmPage>
  )
}
