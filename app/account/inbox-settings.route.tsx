import { Link, useLoaderData } from '@remix-run/react'
import { digestForm, digestHours } from '../../server/contract/forms/inbox.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import type { Realm } from '../../server/contract/portal/realms.ts'
import { ContractForm, Select } from '../components/ui/form.tsx'
import { PageHeader } from '../components/ui/page-parts.tsx'
import { realmOf } from '../lib/sign-in-paths.ts'
import { goOn, runForm } from '../lib/submission.server.ts'
import { getSession, here, type PageArgs, page, readerZone } from '../services.server.ts'
import { RealmPage } from '../shared/frames/realm-page.tsx'

export const meta = () => [{ title: 'Inbox email · Sandpiper' }]
export const handle = { here: 'Inbox' }

const inboxes = { developer: paths.inbox, practice: paths.practiceInbox, staff: paths.staffInbox }

export const loader = page(async (args) => {
  const realm = realmOf(args.request)
  return { ...(await readInboxSettings(args, realm)), inboxPath: inboxes[realm] }
})
export const action = page((args) => saveInboxSettings(args, realmOf(args.request)))

export default function Settings() {
  const settings = useLoaderData<typeof loader>()
  return (
    <RealmPage narrow>
      <InboxSettings {...settings} />
    </RealmPage>
  )
}

interface InboxSettingsProps extends Awaited<ReturnType<typeof readInboxSettings>> {
  inboxPath: string
}

/** Whether the inbox comes by email, and in whose morning. */
function InboxSettings({ digest, timeZone, zones, reviewer, account, inboxPath }: InboxSettingsProps) {
  return (
    <>
      <PageHeader title="Inbox email">
        A daily email lists your to-dos. No email is sent on days without any.{' '}
        <Link to={inboxPath}>Back to the inbox</Link>
      </PageHeader>
      <ContractForm
        labels={{ timeZone: 'Time zone' }}
        defaultValue={{ timeZone }}
        button="Save"
        className="card pad stack gap-5 read"
      >
        <label className="check">
          <input type="checkbox" name="digest" value="on" defaultChecked={digest} />
          <span>
            Email my to-dos to {account.email} every day
            <span className="sub">
              {reviewer
                ? 'Reviewers get the review queue at 09:00 office time on business days.'
                : `At 0${digestHours.from}:00 in your time zone.`}
            </span>
          </span>
        </label>
        <Select
          name="timeZone"
          options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        />
      </ContractForm>
    </>
  )
}

/** Without a choice the visitor's own zone is filled in. */
async function readInboxSettings(args: PageArgs, realm: Realm) {
  const session = await getSession(args, realm)
  const { inbox, env } = args.context.services
  const { digest, timeZone } = await inbox.readSettings({}, session)
  const chosen = timeZone ?? readerZone(args)
  return {
    account: { name: session.account.name, email: session.account.email },
    reviewer: session.account.staffRole === 'reviewer',
    digest,
    timeZone: chosen,
    zones: [...new Set([chosen, env.BUSINESS_TZ, 'UTC', ...Intl.supportedValuesOf('timeZone')])],
  }
}

async function saveInboxSettings(args: PageArgs, realm: Realm) {
  const session = await getSession(args, realm)
  return runForm(args.request, digestForm, async (settings) => {
    await args.context.services.inbox.saveSettings(settings, session)
    return goOn(here(args.request), 'inbox_settings_saved')
  })
}
