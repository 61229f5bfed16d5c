import { useLoaderData } from '@remix-run/react'
import { realmOf } from '../lib/sign-in-paths.ts'
import { page } from '../services.server.ts'
import { RealmPage } from '../shared/frames/realm-page.tsx'
import { readInbox } from '../shared/inbox/inbox.server.ts'
import { InboxList } from '../shared/inbox/inbox-list.tsx'

export const meta = () => [{ title: 'Inbox · Sandpiper' }]
export const handle = { here: 'Inbox' }

export const loader = page((args) => readInbox(args, realmOf(args.request)))

export default function InboxPage() {
  const data = useLoaderData<typeof loader>()
  return (
    <RealmPage>
      <InboxList {...data} />
    </RealmPage>
  )
}
