import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { components } from '../../../server/contract/status/components.ts'
import { Button } from '../../components/ui/button.tsx'
import { page } from '../../services.server.ts'
import { DeadLink } from '../../shared/frames/dead-link.tsx'
import { Gate } from '../../shared/frames/gate.tsx'

export const meta: MetaFunction = () => [{ title: 'Confirm emails · Sandpiper' }]
export const handle = { still: true }

const tokenOf = (request: Request) => new URL(request.url).searchParams.get('token') ?? ''

/** Opening the link changes nothing: mail programs open links on their own. */
export const loader = page(async ({ request, context }: LoaderFunctionArgs) => ({
  link: await context.services.status.findConfirmation(tokenOf(request)),
}))

export const action = page(async ({ request, context }: ActionFunctionArgs) => {
  const token = tokenOf(request)
  const managed = await context.services.status.confirmSubscription(token)
  return redirect(managed ?? paths.confirmSubscription(token))
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
