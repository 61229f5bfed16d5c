import { Form, useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { profileForm } from '../../../server/contract/forms/production-keys.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  securityQuestionIds,
  securityQuestions,
} from '../../../server/contract/workflows/security-questions.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { Field, TextArea } from '../../components/ui/form.tsx'
import { KeepInput } from '../../components/ui/keep-input.tsx'
import { Moment, PageHeader, SubmitButton } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'

export const meta = () => [{ title: 'Security profile · Sandpiper' }]
export const handle = { here: 'Organization / Security profile' }

export const loader = page(async (args) => {
  const { organization, session, actor } = await getOrganization(args)
  const profile = await args.context.services.productionKeys.profiles.get(organization.id, actor)
  const { name: contactName, email: contactEmail } = session.account
  return {
    profile,
    // Likely answers for the first profile.
    suggested: { legalName: organization.name, contactName, contactEmail } as Record<string, string>,
    mayChange: organization.role === 'owner' || organization.role === 'admin',
  }
})

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const { profiles } = args.context.services.productionKeys
  return runAction(
    args,
    { save: profileForm },
    {
      save: ({ version, ...answers }) =>
        profiles.save({ organizationId: organization.id, version, answers }, actor),
    },
    { to: () => ({ path: paths.securityProfile(organization.slug), done: 'profile_saved' }) },
  )
})

const partyFields = [
  ['legalName', 'Legal name of the organization', 'As it appears in agreements.'],
  ['address', 'Address', 'Street, city, state, postal code.'],
  ['contactName', 'Contact for agreements', 'A person’s name.'],
  ['contactEmail', 'Email address', ''],
] as const

export default function SecurityProfilePage() {
  const { profile, suggested, mayChange } = useLoaderData<typeof loader>()
  const { pathname } = useLocation()
  const wrong = useActionData<typeof action>()?.wrong
  const answers = (profile?.answers as Record<string, string> | undefined) ?? suggested
  const fieldProps = (name: string) => ({ name, value: answers[name] })
  return (
    <div className="page narrow">
      <PageHeader title="Security profile">
        Complete it once. Each request includes its current version. Sponsoring practices and our reviewers
        read it.{' '}
        {profile && (
          <>
            Last changed by {profile.updatedBy}, <Moment at={profile.updatedAt} />.
          </>
        )}
      </PageHeader>
      <Refusal title="Not saved." />
      <Form method="post" className="card pad stack" aria-label="Security profile">
        <KeepInput name={`security profile ${pathname}`} refused={wrong !== undefined} />
        <input type="hidden" name="version" value={profile?.version ?? 0} />
        <h2>Your organization</h2>
        {partyFields.map(([name, label, hint]) => (
          <Field
            key={name}
            {...fieldProps(name)}
            label={label}
            hint={hint}
            type={name === 'contactEmail' ? 'email' : 'text'}
          />
        ))}
        <h2>How you protect data</h2>
        {securityQuestionIds.map((id) => (
          <TextArea
            key={id}
            {...fieldProps(id)}
            label={securityQuestions[id].title}
            hint={securityQuestions[id].hint}
          />
        ))}
        {mayChange ? (
          <SubmitButton name="intent" value="save" busy="Saving">
            Save profile
          </SubmitButton>
        ) : (
          <p className="muted">Only owners and admins can change this.</p>
        )}
      </Form>
    </div>
  )
}
