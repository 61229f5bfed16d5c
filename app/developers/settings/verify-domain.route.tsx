import { Form, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { SubmitButton } from '../../components/ui/page-parts.tsx'
import { goOn } from '../../lib/submission.server.ts'
import { linkTokenOf, page, visitorOf } from '../../services.server.ts'
import { DeadLink, Gate } from '../../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Confirm a domain · Sandpiper' }]

/** The loader changes nothing, because mail scanners open links too. */
export const loader = page(async (args) => {
  const found = await args.context.services.organizationDomains.find(linkTokenOf(args))
  return data({ found }, { status: found ? 200 : 410 })
})

export const action = page(async (args) => {
  try {
    await args.context.services.organizationDomains.confirm(linkTokenOf(args), visitorOf(args))
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.status !== 404) throw thrown
    throw data({ message: thrown.message }, { status: 410 })
  }
  return goOn(paths.home, 'domain_verified')
})

export default function VerifyDomain() {
  const { found } = useLoaderData<typeof loader>()
  if (!found)
    return (
      <DeadLink kind="unknown">
        <p>It works once, for 72 hours. Ask the person who sent it for a new one.</p>
      </DeadLink>
    )
  return (
    <Gate
      title={`Confirm ${found.domain}`}
      lead={`${found.organizationName} says it owns this domain. Confirm only if this is true.`}
    >
      <Form method="post" className="card pad stack">
        <SubmitButton busy="Confirming">Confirm domain</SubmitButton>
      </Form>
    </Gate>
  )
}
