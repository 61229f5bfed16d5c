import type { MetaFunction } from '@remix-run/react'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { useState } from 'react'
import { newAppForm } from '../../../server/contract/forms/new-app.ts'
import { isProblem, Problem } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { Button, LinkButton } from '../../components/ui/button.tsx'
import { Choices } from '../../components/ui/choice.tsx'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { Field, TextArea } from '../../components/ui/field.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { readFields, refusalOf, runForm } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { FieldNotes } from './field-notes.tsx'
import { LintAsTyped } from './lint-as-typed.tsx'
import { goToDraft, readFile } from './registration.server.ts'
import { audienceOptions } from './registration-fields.tsx'
import type { TypedReport } from './typed-report.ts'

export const meta: MetaFunction = () => [{ title: 'New app · Sandpiper' }]
export const handle = { here: 'Apps / New app' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization } = await getOrganization(args)
  if (organization.role === 'viewer') throw data({ message: undefined }, { status: 403 })
  return {
    back: paths.organizationApps(organization.slug),
    lint: paths.registrationLint(organization.slug),
    idempotencyKey: crypto.randomUUID(),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const { organization, actor } = await getOrganization(args)
  const { registrations } = args.context.services
  const fields = await readFields(args.request)
  const idempotencyKey = String(fields.get('idempotencyKey') ?? '').slice(0, 64) || crypto.randomUUID()
  const shared = { organizationId: organization.id, idempotencyKey }
  if (fields.has('file')) {
    const file = await readFile(fields.get('file')).catch(String)
    if (typeof file === 'string') return data({ wrong: file }, { status: 400 })
    try {
      const draft = { ...shared, registrationId: null, version: null, form: file }
      const saved = await registrations.saveDraft(draft, actor)
      return goToDraft(args, organization.slug, saved, actor, 'registration_saved')
    } catch (thrown) {
      return refusalOf(thrown)
    }
  }
  return runForm(fields, newAppForm, async (app) => {
    const made = await registrations.createApp({ ...shared, app }, actor).catch(nameKeysField)
    return goToDraft(args, organization.slug, made, actor, 'app_created')
  })
})

/** Pasted or fetched, the keys are one field here. */
function nameKeysField(thrown: unknown): never {
  if (!isProblem(thrown) || (thrown.field !== 'jwks' && thrown.field !== 'jwksUrl')) throw thrown
  const { kind, message, detail = '' } = thrown
  throw new Problem(kind, { message, detail, field: 'keys' })
}

const labels = {
  name: 'App name',
  audience: 'Who uses the app?',
  redirectUris: 'Redirect URI',
  keys: 'Public keys (JWKS)',
}

export default function NewApp() {
  const { back, lint, idempotencyKey } = useLoaderData<typeof loader>()
  const answer = useActionData<{ wrong?: string }>()
  const [report, setReport] = useState<TypedReport | null>(null)
  // The same form sent again is the same app, also after the loader ran again.
  const [formKey] = useState(idempotencyKey)
  return (
    <div className="page narrow">
      <PageHeader title="New app">
        You get a sandbox client ID immediately. You can add what production needs later.
      </PageHeader>
      {answer?.wrong && <Banner tone="bad" title={answer.wrong} />}
      <ContractForm
        schema={newAppForm}
        labels={labels}
        defaultValue={{ audience: 'patient' }}
        hidden={{ idempotencyKey: formKey }}
        keepAs={`new app ${back}`}
        button="Create app"
        busy="Creating"
        className="card pad stack gap-6 new-app"
        leave={
          <LinkButton look="plain" to={back}>
            Cancel
          </LinkButton>
        }
      >
        <LintAsTyped to={lint} onReport={setReport} />
        <div className="stack tight">
          <Field name="name" autoComplete="off" hint="People see it when the app requests access." />
          <FieldNotes report={report} fields={['name']} shownBy="name" />
        </div>
        <Choices name="audience" options={audienceOptions} />
        <div className="stack tight for-people">
          <TextArea
            name="redirectUris"
            rows={2}
            mono
            spellCheck={false}
            hint="Exactly as the app sends it, one per line: https, http://localhost for your own machine, or com.example.app:/callback for a native app."
          />
          <FieldNotes report={report} fields={['redirectUris']} shownBy="redirectUris" />
        </div>
        <div className="stack tight for-backend">
          <TextArea
            name="keys"
            rows={4}
            mono
            spellCheck={false}
            hint="The https URL that serves the keys, or the key set itself. Public keys only."
          />
          <FieldNotes report={report} fields={['jwks', 'jwksUrl']} shownBy="keys" />
        </div>
      </ContractForm>
      <details>
        <summary>Start from a file</summary>
        <Form method="post" encType="multipart/form-data" className="card pad stack mt-3">
          <input type="hidden" name="idempotencyKey" value={`${formKey}-file`} />
          <div className="field">
            <label htmlFor="file">Registration as JSON</label>
            <input className="input" type="file" id="file" name="file" accept="application/json" />
          </div>
          <div>
            <Button type="submit">Create app from file</Button>
          </div>
        </Form>
      </details>
    </div>
  )
}
