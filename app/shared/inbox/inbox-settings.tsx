import { Link } from '@remix-run/react'
import { digestForm, digestHours } from '../../../server/contract/forms/inbox.ts'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { Select } from '../../components/ui/field.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import type { Serialized } from '../../lib/serialized.ts'
import type { readInboxSettings } from './inbox-settings.server.ts'

interface InboxSettingsProps extends Serialized<Awaited<ReturnType<typeof readInboxSettings>>> {
  inboxPath: string
}

/** Whether the inbox comes by email, and in whose morning. */
export function InboxSettings({ digest, timeZone, zones, reviewer, account, inboxPath }: InboxSettingsProps) {
  return (
    <>
      <PageHeader title="Inbox email">
        A daily email lists your to-dos. No email is sent on days without any.{' '}
        <Link to={inboxPath}>Back to the inbox</Link>
      </PageHeader>
      <ContractForm
        schema={digestForm}
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
