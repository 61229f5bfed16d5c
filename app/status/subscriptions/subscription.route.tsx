import { useActionData, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { subscribedComponents, subscriptionForm } from '../../../server/contract/status/subscriptions.ts'
import { Button } from '../../components/ui/page-parts.tsx'
import { readForm } from '../../lib/submission.server.ts'
import { linkTokenOf, page } from '../../services.server.ts'
import { DeadLink, Gate } from '../../shared/frames/gate.tsx'
import { ComponentChecks } from './component-checks.tsx'

export const meta = () => [{ title: 'Your emails · Sandpiper' }]
export const handle = { still: true }

export const loader = page(async (args) => ({
  subscription: await args.context.services.status.findSubscription(linkTokenOf(args)),
}))

export const action = page(async (args) => {
  const { services } = args.context
  const submission = await readForm(args.request, subscriptionForm)
  if (submission.status !== 'success') return data({ done: null }, { status: 400 })
  const token = linkTokenOf(args)
  if (submission.value.intent === 'end') {
    await services.status.endSubscription(token)
    return { done: 'ended' as const }
  }
  const changed = await services.status.changeSubscription(token, subscribedComponents(submission.value))
  return { done: changed ? ('saved' as const) : null }
})

export default function Subscription() {
  const { subscription } = useLoaderData<typeof loader>()
  const done = useActionData<typeof action>()?.done
  const back = <a href={paths.status}>Back to status</a>
  if (done === 'ended')
    return (
      <Gate
        title="You are unsubscribed"
        lead="You get no more of these emails, and your address is deleted."
        after={<p>{back}</p>}
      />
    )
  if (subscription === null)
    return (
      <DeadLink kind="unknown">
        <p>
          You have already unsubscribed, or the link is incomplete. {back}, or{' '}
          <a href={paths.subscribeToStatus}>request emails</a>.
        </p>
      </DeadLink>
    )
  return (
    <Gate
      wide
      title="Your emails"
      lead={`For ${subscription.email}. Choose what we email you about, or unsubscribe.`}
      after={<p>{back}</p>}
    >
      {done === 'saved' && (
        <p className="banner ok" role="status">
          Saved.
        </p>
      )}
      <form method="post" className="card pad stack">
        <ComponentChecks chosen={subscription.components} />
        <div className="row">
          <Button look="primary" type="submit" name="intent" value="save">
            Save
          </Button>
          <Button type="submit" name="intent" value="end">
            Unsubscribe
          </Button>
        </div>
      </form>
    </Gate>
  )
}
