import { useActionData, useLoaderData } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { Button } from '../components/ui/page-parts.tsx'
import { linkTokenOf, page } from '../services.server.ts'
import { DeadLink, Gate } from '../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Stop inbox emails · Sandpiper' }]
export const handle = { still: true }

/** Opening the link changes nothing: mail programs open links on their own. */
export const loader = page(async (args) => ({
  link: await args.context.services.inbox.findDigestLink(linkTokenOf(args)),
}))

export const action = page(async (args) => ({
  stopped: (await args.context.services.inbox.stopDigest(linkTokenOf(args))) === 'live',
}))

export default function StopInboxEmail() {
  const { link } = useLoaderData<typeof loader>()
  const settings = <a href={paths.inboxSettings}>Inbox email settings</a>
  if (useActionData<typeof action>()?.stopped)
    return (
      <Gate
        title="Daily emails are off"
        lead="You still get an email when something needs your action. You can turn the daily email back on in your inbox settings."
        after={<p>{settings}</p>}
      />
    )
  if (link !== 'live')
    return (
      <DeadLink kind={link}>
        <p>Sign in to change this: {settings}.</p>
      </DeadLink>
    )
  return (
    <Gate
      title="Stop daily emails?"
      lead="We email your to-dos once a day. Your inbox itself doesn’t change."
    >
      <form method="post" className="card pad stack">
        <Button look="primary" type="submit">
          Stop daily emails
        </Button>
      </form>
    </Gate>
  )
}
