import { useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { keyRequestForm, projectDescriptionLength } from '../../../server/contract/forms/keys.ts'
import { limits } from '../../../server/contract/http/limits.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Choices } from '../../components/ui/choice.tsx'
import { ContractForm, Field, TextArea } from '../../components/ui/form.tsx'
import { PageHeader } from '../../components/ui/page-parts.tsx'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'
import { AcceptTerms, keyFormLabels, keyLevelChoices } from './key-form.tsx'

export const meta = () => [{ title: 'Request a sandbox key · Sandpiper' }]
export const handle = { here: 'Request a sandbox key' }

export const loader = page(async (args) => {
  const { session, organization } = await getOrganization(args)
  if (organization.role === 'viewer') throw data({ message: undefined }, { status: 403 })
  const { version, sha256 } = args.context.services.agreementTexts.get('sandbox-terms')
  return {
    list: paths.organizationKeys(organization.slug),
    email: session.account.email,
    terms: { version, sha256 },
    idempotencyKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  return runForm(args.request, keyRequestForm, async (value) => {
    const { acceptTerms: _accepted, ...request } = value
    await args.context.services.keys.requestSandboxKey({ organizationId: organization.id, ...request }, actor)
    return goOn(paths.organizationKeys(organization.slug), 'key_requested')
  })
})

export default function RequestKey() {
  const { list, email, terms, idempotencyKey } = useLoaderData<typeof loader>()
  return (
    <div className="page narrow">
      <PageHeader title="Request a sandbox key">
        The check is automatic. You get a claim link by email within a minute. The key expires after{' '}
        {limits.keyDays} days.
      </PageHeader>
      <ContractForm
        labels={keyFormLabels}
        defaultValue={{
          technicalContact: email,
          level: 'read_only',
          termsVersion: terms.version,
          termsSha256: terms.sha256,
        }}
        hidden={{ idempotencyKey }}
        keepAs={`key request ${list}`}
        button="Request key"
        busy="Sending"
        cancel={list}
      >
        <Field name="name" autoComplete="off" hint="A name you’ll recognize later." />
        <TextArea
          name="projectDescription"
          countTo={projectDescriptionLength.min}
          hint={`At least ${projectDescriptionLength.min} characters. Describe what it does and for whom. Don’t include information about real people.`}
        />
        <Field
          name="technicalContact"
          type="email"
          autoComplete="email"
          hint="We email this address if a person needs to act on the key."
        />
        <Choices name="level" options={keyLevelChoices} />
        <AcceptTerms terms={terms} />
      </ContractForm>
    </div>
  )
}
