import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { organizationForm } from '../../../server/contract/forms/account.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { Field } from '../../components/ui/field.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { actorOf, page } from '../../services.server.ts'
import { Shell } from '../../shared/frames/shell.tsx'
import { getOrganizations, readShell } from '../../shared/organizations/organization.server.ts'

export const meta: MetaFunction = () => [{ title: 'Create an organization · Sandpiper' }]

export const loader = page((args: LoaderFunctionArgs) => readShell(args))

export const action = page(async (args: ActionFunctionArgs) => {
  const { session } = await getOrganizations(args)
  return runForm(args.request, organizationForm, async (value) => {
    const created = await args.context.services.organizations.create(value, actorOf(args, session))
    return goOn(paths.organization(created.slug), 'organization_created')
  })
})

export default function NewOrganization() {
  const frame = useLoaderData<typeof loader>()
  return (
    <Shell {...frame} here="Create an organization">
      <div className="page narrow">
        <PageHeader title="Create an organization">
          {frame.organizations.length === 0
            ? 'Keys belong to an organization, so they survive team changes. Create yours first.'
            : 'A separate team with its own keys and members.'}
        </PageHeader>
        <ContractForm
          schema={organizationForm}
          labels={{ name: 'Name' }}
          button="Create organization"
          busy="Creating"
          className="card pad stack"
        >
          <Field
            name="name"
            autoComplete="organization"
            hint="The name practices see. You become the owner and can rename it later."
          />
        </ContractForm>
        <p className="muted">
          Is your team already here? Ask one of its admins to invite {frame.account.email}, then open the link
          in the email.
        </p>
      </div>
    </Shell>
  )
}
