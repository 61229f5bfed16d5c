import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { organizationForm } from '../../../server/contract/forms/account.ts'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { mayRename } from '../../../server/contract/portal/organization-roles.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { Field } from '../../components/ui/field.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { doneCookie } from '../../lib/flash.ts'
import { findStepUp } from '../../lib/step-up.server.ts'
import { goOn, readFields, runForm } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { OwnedDomains } from './owned-domains.tsx'

export const meta: MetaFunction = () => [{ title: 'Settings · Sandpiper' }]
export const handle = { here: 'Settings' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization, actor, session } = await getOrganization(args)
  const domains = await args.context.services.organizationDomains.list(organization.id, actor)
  return {
    domains,
    name: organization.name,
    slug: organization.slug,
    role: organization.role,
    mayRename: mayRename.includes(organization.role),
    stepUp: mayRename.includes(organization.role) ? findStepUp(args, session) : null,
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const { organization, actor } = await getOrganization(args)
  const { organizations } = args.context.services
  const fields = await readFields(args.request)
  if (fields.get('intent') === 'leave') {
    try {
      await organizations.leave({ organizationId: organization.id }, actor)
    } catch (thrown) {
      if (isProblem(thrown) && thrown.status === 409) return { lastResult: null, conflict: thrown.message }
      throw thrown
    }
    return goOn(paths.developers, 'organization_left')
  }
  if (fields.get('intent') === 'domain') {
    const mailbox = String(fields.get('mailbox') ?? '')
    try {
      await args.context.services.organizationDomains.request(
        { organizationId: organization.id, mailbox },
        actor,
      )
    } catch (thrown) {
      if (isProblem(thrown) && [400, 409, 429].includes(thrown.status))
        return data({ lastResult: null, wrongMailbox: thrown.message }, { status: thrown.status })
      throw thrown
    }
    const sent = { 'set-cookie': doneCookie('domain_link_sent') }
    return redirect(`${paths.organization(organization.slug)}/settings`, { headers: sent })
  }
  return runForm(fields, organizationForm, async (value) => {
    await organizations.rename({ organizationId: organization.id, ...value }, actor)
    return goOn(`${paths.organization(organization.slug)}/settings`, 'organization_renamed')
  })
})

export default function Settings() {
  const shown = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const wrongMailbox = answer && 'wrongMailbox' in answer ? answer.wrongMailbox : undefined
  const conflict = answer && 'conflict' in answer ? answer.conflict : undefined
  return (
    <div className="page">
      <PageHeader title="Settings">The organization as others read it.</PageHeader>
      {conflict && <Banner tone="bad" title={conflict} />}
      <Card
        id="name"
        title="Name"
        aside={
          <span className="small muted">
            Address <code>/organizations/{shown.slug}</code>
          </span>
        }
      >
        {shown.mayRename ? (
          <ContractForm
            schema={organizationForm}
            labels={{ name: 'Name' }}
            defaultValue={{ name: shown.name }}
            button={
              shown.stepUp ? (
                <p>
                  <Link to={shown.stepUp}>Confirm that it is you</Link> to change the name.
                </p>
              ) : (
                'Change the name'
              )
            }
            look="outline"
            busy="Changing"
            className="pad stack read"
            key={shown.name}
          >
            <Field
              name="name"
              autoComplete="organization"
              hint="The address stays the same. Practices that work with you are notified by email."
            />
          </ContractForm>
        ) : (
          <p className="pad">
            {shown.name}. <span className="muted">Admins and owners can change it.</span>
          </p>
        )}
      </Card>
      <OwnedDomains domains={shown.domains} mayAsk={shown.mayRename} wrong={wrongMailbox} />
      <Card id="leave" title="Leave">
        <div className="pad stack">
          <p className="muted">
            You are {shown.role === 'admin' || shown.role === 'owner' ? 'an' : 'a'} {shown.role} here. You
            lose its keys and activity at once; the keys themselves stay. The last owner cannot leave.
          </p>
          <details>
            <summary className="btn danger">Leave {shown.name}</summary>
            <Form method="post" className="row mt-3">
              <Button type="submit" look="danger" className="filled" name="intent" value="leave">
                Leave now
              </Button>
              <span className="muted">Only an invitation brings you back.</span>
            </Form>
          </details>
        </div>
      </Card>
    </div>
  )
}
