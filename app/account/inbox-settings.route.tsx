import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { realmOf } from '../lib/sign-in-paths.ts'
import { page } from '../services.server.ts'
import { RealmPage } from '../shared/frames/realm-page.tsx'
import { readInboxSettings, saveInboxSettings } from '../shared/inbox/inbox-settings.server.ts'
import { InboxSettings } from '../shared/inbox/inbox-settings.tsx'

export const meta: MetaFunction = () => [{ title: 'Inbox email · Sandpiper' }]
export const handle = { here: 'Inbox' }

const inboxes = { developer: paths.inbox, practice: paths.practiceInbox, staff: paths.staffInbox }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const realm = realmOf(args.request)
  return { ...(await readInboxSettings(args, realm)), inboxPath: inboxes[realm] }
})
export const action = page((args: ActionFunctionArgs) => saveInboxSettings(args, realmOf(args.request)))

export default function Settings() {
  const settings = useLoaderData<typeof loader>()
  return (
    <RealmPage narrow>
      <InboxSettings {...settings} />
    </RealmPage>
  )
}
