import type { MetaFunction } from '@remix-run/react'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { Button } from '../components/ui/button.tsx'
import { page } from '../services.server.ts'
import { DeadLink } from '../shared/frames/dead-link.tsx'
import { Gate } from '../shared/frames/gate.tsx'

export const meta: MetaFunction = () => [{ title: 'Stop inbox emails · Sandpiper' }]
export const handle = { still: true }

const tokenOf = (request: Request) => new URL(request.url).searchParams.get('token') ?? ''

/** Opening the link changes nothing: mail programs open links on their own. */
export const loader = page(async ({ request, context }: LoaderFunctionArgs) => ({
  link: await context.services.inbox.findDigestLink(tokenOf(request)),
}))

export const action = page(async ({ request, context }: ActionFunctionArgs) => ({
  stopped: (await context.services.inbox.stopDigest(tokenOf(request))) === 'live',
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
