import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { keyRequestForm, projectDescriptionLength } from '../../server/contract/forms-keys.ts'
import { limits } from '../../server/contract/limits.ts'
import { paths } from '../../server/contract/paths.ts'
import { LinkButton, SubmitButton } from '../components/ui/button.tsx'
import { Check, Choices } from '../components/ui/choice.tsx'
import { Field, TextArea } from '../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../components/ui/form.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { doneCookie } from '../flash.ts'
import { getOrganization } from '../organization.server.ts'
import { page } from '../services.server.ts'
import { readForm, refuse, refuseByProblem } from '../submission.server.ts'

export const meta: MetaFunction = () => [{ title: 'Request a sandbox key · Sandpiper' }]
export const handle = { here: 'Request a sandbox key' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, organization } = await getOrganization(args)
  if (organization.role === 'viewer') throw data({ message: undefined }, { status: 403 })
  const { version, sha256 } = args.context.services.sandboxTerms.current()
  return {
    list: paths.organizationKeys(organization.slug),
    email: session.account.email,
    terms: { version, sha256 },
    idempotencyKey: crypto.randomUUID(),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const { organization, actor } = await getOrganization(args)
  const submission = await readForm(args.request, keyRequestForm)
  if (submission.status !== 'success') return refuse(submission)
  const { acceptTerms: _accepted, ...wanted } = submission.value
  try {
    await args.context.services.keys.requestSandboxKey({ organizationId: organization.id, ...wanted }, actor)
  } catch (thrown) {
    return refuseByProblem(submission, thrown)
  }
  const headers = { 'set-cookie': doneCookie('key_requested') }
  return redirect(paths.organizationKeys(organization.slug), { headers })
})

const labels = {
  name: 'Name of the key',
  projectDescription: 'What are you building?',
  technicalContact: 'Technical contact',
  level: 'What may the key do?',
  acceptTerms: 'Sandbox terms',
}

const levels = [
  { value: 'read_only', label: 'Read only', sub: 'Reads patients. Enough for most first steps.' },
  {
    value: 'full',
    label: 'Full',
    sub: 'Reads and writes. Your sandbox becomes a copy of its own that you can change.',
  },
]

export default function RequestKey() {
  const { list, email, terms, idempotencyKey } = useLoaderData<typeof loader>()
  const lastResult = useActionData<typeof action>()?.lastResult
  const [form, fields] = useContractForm({
    schema: keyRequestForm,
    lastResult,
    defaultValue: {
      technicalContact: email,
      level: 'read_only',
      termsVersion: terms.version,
      termsSha256: terms.sha256,
      idempotencyKey,
    },
  })
  return (
    <div className="page narrow">
      <PageHead title="Request a sandbox key">
        The check is automatic. A claim link comes by mail within a minute; the key lives {limits.keyDays}{' '}
        days.
      </PageHead>
      <Form method="post" {...formProps(form)} className="card pad stack gap-6">
        <ErrorSummary form={form} fields={fields} labels={labels} />
        <Field
          meta={fields.name}
          label={labels.name}
          autoComplete="off"
          hint="As you want to find it in a list."
        />
        <TextArea
          meta={fields.projectDescription}
          label={labels.projectDescription}
          countTo={projectDescriptionLength.min}
          hint={`At least ${projectDescriptionLength.min} characters. What it does and for whom. Nothing about real people.`}
        />
        <Field
          meta={fields.technicalContact}
          label={labels.technicalContact}
          type="email"
          autoComplete="email"
          hint="We write here when something about the key needs a person."
        />
        <Choices meta={fields.level} legend={labels.level} options={levels} />
        <div className="stack tight">
          <Check meta={fields.acceptTerms}>
            I accept the{' '}
            <Link to={paths.sandboxTerms} target="_blank" rel="noreferrer">
              sandbox terms, version {terms.version}
              <span className="sr"> (opens in a new tab)</span>
            </Link>
          </Check>
          <p className="small muted terms-hash">
            SHA-256 <code>{terms.sha256}</code>
          </p>
        </div>
        {/* The text that is accepted is the one shown, even when a newer one appears meanwhile. */}
        <input type="hidden" name={fields.termsVersion.name} value={terms.version} />
        <input type="hidden" name={fields.termsSha256.name} value={terms.sha256} />
        <input
          type="hidden"
          name={fields.idempotencyKey.name}
          value={fields.idempotencyKey.initialValue ?? idempotencyKey}
        />
        <div className="row">
          <SubmitButton busy="Sending">Request the key</SubmitButton>
          <LinkButton look="plain" to={list}>
            Not now
          </LinkButton>
        </div>
      </Form>
    </div>
  )
}
