import type { MetaFunction } from '@remix-run/react'
import { Form, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { goOn, readFields } from '../../lib/submission.server.ts'
import { page, visitorOf } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'

export const meta: MetaFunction = () => [
  { title: 'Confirm a domain · Sandpiper' },
  { name: 'referrer', content: 'no-referrer' },
]

/** Opening the link changes nothing: mail scanners open links too. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const token = new URL(args.request.url).searchParams.get('token') ?? ''
  const found = await args.context.services.organizationDomains.find(token)
  return data({ token, found }, { status: found ? 200 : 410 })
})

export const action = page(async (args: ActionFunctionArgs) => {
  const fields = await readFields(args.request)
  try {
    await args.context.services.organizationDomains.confirm(
      String(fields.get('token') ?? ''),
      visitorOf(args),
    )
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.status !== 404) throw thrown
    throw data({ message: thrown.message }, { status: 410 })
  }
  return goOn(paths.home, 'domain_verified')
})

export default function VerifyDomain() {
  const { token, found } = useLoaderData<typeof loader>()
  if (!found)
    return (
      <Gate
        title="This link no longer works"
        lead="It was used, replaced by a newer one, or has expired after 72 hours."
      >
        <p className="card pad">Ask the person who sent it for a new one.</p>
      </Gate>
    )
  return (
    <Gate
      title={`Confirm ${found.domain}`}
      lead={`${found.organizationName} says it owns this domain. Confirm only if this is true.`}
    >
      <Form method="post" className="card pad stack">
        <input type="hidden" name="token" value={token} />
        <SubmitButton busy="Confirming">Confirm domain</SubmitButton>
      </Form>
    </Gate>
  )
}
