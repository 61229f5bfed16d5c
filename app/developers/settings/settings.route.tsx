import { Form, Link, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { organizationForm } from '../../../server/contract/forms/account.ts'
import { mayRename } from '../../../server/contract/portal/organization-roles.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { Services } from '../../../server/services.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import { Check, Clock } from '../../components/ui/icons.ts'
import { Button, Card, Moment, PageHeader, SubmitButton } from '../../components/ui/page-parts.tsx'
import { goOn, readFields, runAction, runForm } from '../../lib/submission.server.ts'
import { findStepUp, getOrganization, page } from '../../services.server.ts'

export const meta = () => [{ title: 'Settings · Sandpiper' }]
export const handle = { here: 'Organization / Settings' }

export const loader = page(async (args) => {
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

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const { organizations } = args.context.services
  const { organizationDomains } = args.context.services
  const fields = await readFields(args.request)
  const organizationId = organization.id
  const here = `${paths.organization(organization.slug)}/settings`
  if (!fields.has('intent'))
    return runForm(fields, organizationForm, async (value) => {
      await organizations.rename({ organizationId, ...value }, actor)
      return goOn(here, 'organization_renamed')
    })
  return runAction(
    args,
    { leave: z.object({}), domain: z.object({ mailbox: z.string() }) },
    {
      leave: () => organizations.leave({ organizationId }, actor),
      domain: ({ mailbox }) => organizationDomains.request({ organizationId, mailbox }, actor),
    },
    {
      to: (intent) =>
        intent === 'leave'
          ? { path: paths.developers, done: 'organization_left' }
          : { path: here, done: 'domain_link_sent' },
      fields,
    },
  )
})

export default function Settings() {
  const loaded = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHeader title="Settings">How others see your organization.</PageHeader>
      <Refusal />
      <Card
        id="name"
        title="Name"
        aside={
          <span className="small muted">
            Address <code>/organizations/{loaded.slug}</code>
          </span>
        }
      >
        {loaded.mayRename ? (
          <ContractForm
            labels={{ name: 'Name' }}
            defaultValue={{ name: loaded.name }}
            button={
              loaded.stepUp ? (
                <p>
                  <Link to={loaded.stepUp}>Confirm your password</Link> to change the name.
                </p>
              ) : (
                'Change name'
              )
            }
            look="outline"
            busy="Saving"
            className="pad stack read"
            key={loaded.name}
          >
            <Field
              name="name"
              autoComplete="organization"
              hint="The address stays the same. Practices that work with you are notified by email."
            />
          </ContractForm>
        ) : (
          <p className="pad">
            {loaded.name}. <span className="muted">Admins and owners can change it.</span>
          </p>
        )}
      </Card>
      <OwnedDomains domains={loaded.domains} mayRequest={loaded.mayRename} />
      <Card id="leave" title="Leave organization">
        <div className="pad stack">
          <p className="muted">
            You are {loaded.role === 'admin' || loaded.role === 'owner' ? 'an' : 'a'} {loaded.role} here. If
            you leave, you lose access to its keys and activity immediately. The keys are kept. The last owner
            can’t leave.
          </p>
          <details>
            <summary className="btn danger">Leave organization</summary>
            <Form method="post" className="row mt-3">
              <Button type="submit" look="danger" className="filled" name="intent" value="leave">
                Leave now
              </Button>
              <span className="muted">You can only return with an invitation.</span>
            </Form>
          </details>
        </div>
      </Card>
    </div>
  )
}

interface OwnedDomainsProps {
  domains: Awaited<ReturnType<Services['organizationDomains']['list']>>
  mayRequest: boolean
}

/** The organization's domains, each confirmed by a mailbox, and a form to add one. */
function OwnedDomains({ domains, mayRequest }: OwnedDomainsProps) {
  return (
    <Card
      id="domains"
      title="Domains"
      aside={<span className="small muted">Reviewers see the confirmed ones.</span>}
    >
      <div className="pad stack">
        {domains.length === 0 && <p className="muted">None yet. A confirmed domain proves who you are.</p>}
        <ul className="list">
          {domains.map(({ id, domain, mailbox, requestedAt, verifiedAt }) => (
            <li key={id} className="finding">
              {verifiedAt ? <Check className="i" /> : <Clock className="i" />}
              <p className="breaks">
                <b>{domain}</b>,{' '}
                {verifiedAt ? (
                  <>
                    confirmed on <Moment at={verifiedAt} as="date" />
                  </>
                ) : (
                  <>
                    link sent to {mailbox} on <Moment at={requestedAt} />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
        {mayRequest && (
          <Form method="post" className="stack read">
            <Field
              name="mailbox"
              id="mailbox"
              label="A mailbox at the domain"
              type="email"
              required
              maxLength={254}
              hint="We email a link there. Anyone who can open it can confirm the domain."
            />
            <SubmitButton look="outline" name="intent" value="domain" busy="Sending">
              Send link
            </SubmitButton>
          </Form>
        )}
      </div>
    </Card>
  )
}
