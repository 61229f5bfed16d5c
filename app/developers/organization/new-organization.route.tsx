import {
  type MetaFunction,
  type ShouldRevalidateFunction,
  useActionData,
  useLoaderData,
} from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { organizationForm } from '../../../server/contract/forms/account.ts'
import { firstKeyForm, projectDescriptionLength } from '../../../server/contract/forms/keys.ts'
import { limits } from '../../../server/contract/http/limits.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Choices } from '../../components/ui/choice.tsx'
import { ContractForm, Field, TextArea } from '../../components/ui/form.tsx'
import { LinkButton, PageHeader } from '../../components/ui/page-parts.tsx'
import { goOn, readFields, runForm } from '../../lib/submission.server.ts'
import { actorOf, getSession, page, readShell } from '../../services.server.ts'
import { Shell } from '../../shared/frames/shell.tsx'
import { AcceptTerms, keyFormLabels, keyLevelChoices } from '../keys/key-form.tsx'
import { RevealDialog } from '../keys/reveal-dialog.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.first ? 'Create your first key' : 'Create an organization'} · Sandpiper` },
]

/** The first organization comes with its first key, unless the address says `?without-key`. */
export const loader = page(async (args) => {
  const frame = await readShell(args)
  const { version, sha256 } = args.context.services.agreementTexts.get('sandbox-terms')
  return {
    frame,
    first: frame.organizations.length === 0 && !new URL(args.request.url).searchParams.has('without-key'),
    terms: { version, sha256 },
    idempotencyKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const session = await getSession(args, 'developer')
  const { keys, organizations } = args.context.services
  const actor = actorOf(args, session)
  const fields = await readFields(args.request)
  if (fields.has('organizationName'))
    return runForm(fields, firstKeyForm, async ({ acceptTerms: _accepted, ...request }) => {
      const answer = await keys.takeFirstKey(request, actor)
      if (answer.kind !== 'revealed') return redirect(answer.path)
      return data({ revealed: answer }, { headers: { 'cache-control': 'no-store' } })
    })
  return runForm(fields, organizationForm, async (value) => {
    const created = await organizations.create(value, actor)
    return goOn(paths.organization(created.slug), 'organization_created')
  })
})

/** The page of the first key keeps its title and frame while the key is shown. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) =>
  defaultShouldRevalidate && !(actionResult && 'revealed' in actionResult)

/** No cache may store the response that contains the key. */
export const headers = () => ({ 'cache-control': 'no-store' })

export default function NewOrganization() {
  const { frame, first } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  if (answer && 'revealed' in answer)
    return (
      <Shell {...frame} here="Your first key">
        <div className="page narrow">
          <PageHeader title="Your key">Save it now. Leaving this page loses it.</PageHeader>
          <RevealDialog revealed={answer.revealed} leaveTo={paths.keys} />
        </div>
      </Shell>
    )
  return (
    <Shell {...frame} here={first ? 'Your first key' : 'Create an organization'}>
      <div className="page narrow">
        {first ? <FirstKey /> : <OrganizationForm />}
        <p className="muted">
          Is your team already here? Ask one of its admins to invite {frame.account.email}, then open the link
          in the email.
        </p>
      </div>
    </Shell>
  )
}

function FirstKey() {
  const { terms, idempotencyKey } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Create your first key">
        It works at once and reads synthetic patients only. It expires after {limits.keyDays} days.
      </PageHeader>
      <ContractForm
        labels={{ ...keyFormLabels, organizationName: 'Organization name' }}
        defaultValue={{
          level: 'read_only',
          termsVersion: terms.version,
          termsSha256: terms.sha256,
        }}
        hidden={{ idempotencyKey }}
        button="Create key"
        busy="Creating your key"
        leave={
          <LinkButton look="plain" to="?without-key">
            Not now
          </LinkButton>
        }
      >
        <Field
          name="organizationName"
          autoComplete="organization"
          hint="Keys belong to an organization, so they survive team changes. Your own name is fine."
        />
        <TextArea
          name="projectDescription"
          rows={3}
          countTo={projectDescriptionLength.min}
          hint={`At least ${projectDescriptionLength.min} characters. Describe what it does and for whom. The first words name the key.`}
        />
        <Choices name="level" options={keyLevelChoices} />
        <AcceptTerms terms={terms} />
      </ContractForm>
    </>
  )
}

function OrganizationForm() {
  const { frame } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Create an organization">
        {frame.organizations.length === 0
          ? 'Keys belong to an organization, so they survive team changes. Create yours first.'
          : 'A separate team with its own keys and members.'}
      </PageHeader>
      <ContractForm
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
    </>
  )
}
