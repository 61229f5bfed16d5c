import { useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { components } from '../../../server/contract/status/components.ts'
import { Button } from '../../components/ui/page-parts.tsx'
import { here, linkTokenOf, page } from '../../services.server.ts'
import { DeadLink, Gate } from '../../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Confirm emails · Sandpiper' }]
export const handle = { still: true }

/** The loader changes nothing, because mail programs open links on their own. */
export const loader = page(async (args) => ({
  link: await args.context.services.status.findConfirmation(linkTokenOf(args)),
}))

export const action = page(async (args) => {
  const managed = await args.context.services.status.confirmSubscription(linkTokenOf(args))
  return redirect(managed ?? here(args.request))
})

export default function Confirm() {
  const { link } = useLoaderData<typeof loader>()
  if (link.kind !== 'live')
    return (
      <DeadLink kind={link.kind}>
        <p>
          <a href={paths.subscribeToStatus}>Request emails again</a>, or go to the{' '}
          <a href={paths.status}>status</a>.
        </p>
      </DeadLink>
    )
  const about = link.components?.map((id) => components[id].name).join(', ') || 'all components'
  return (
    <Gate
      title="Confirm your subscription"
      lead={`We email ${link.email} when the status changes: ${about}. Every email has an unsubscribe link.`}
    >
      <form method="post" className="card pad stack">
        <Button look="primary" type="submit">
          Confirm subscription
        </Button>
      </form>
    </Gate>
  )
}
