import { type ClientActionFunctionArgs, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { useState } from 'react'
import { newAppForm } from '../../../server/contract/forms/new-app.ts'
import { isProblem, Problem } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Choices } from '../../components/ui/choice.tsx'
import { ContractForm, Field, TextArea } from '../../components/ui/form.tsx'
import { PageHeader } from '../../components/ui/page-parts.tsx'
import { keepWhenLost, loadUnlessLost } from '../../lib/lost-connection.ts'
import { readFields, runForm } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'
import { FieldNotes, LintAsTyped } from './field-notes.tsx'
import { goToDraft } from './registration.server.ts'
import { audienceOptions } from './registration-fields.tsx'
import type { TypedReport } from './typed-report.ts'

export const meta = () => [{ title: 'New app · Sandpiper' }]
export const handle = { here: 'Apps / New app' }

export const loader = page(async (args) => {
  const { organization } = await getOrganization(args)
  if (organization.role === 'viewer') throw data({ message: undefined }, { status: 403 })
  return {
    back: paths.organizationApps(organization.slug),
    lint: paths.registrationLint(organization.slug),
    idempotencyKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const { registrations } = args.context.services
  const fields = await readFields(args.request)
  const idempotencyKey = String(fields.get('idempotencyKey') ?? '').slice(0, 64) || crypto.randomUUID()
  return runForm(fields, newAppForm, async (app) => {
    const request = { organizationId: organization.id, idempotencyKey, app }
    const created = await registrations.createApp(request, actor).catch(nameKeysField)
    return goToDraft(args, organization.slug, created, actor, 'app_created')
  })
})
export const clientAction = ({ serverAction }: ClientActionFunctionArgs) => keepWhenLost(serverAction)
export const shouldRevalidate = loadUnlessLost

const labels = {
  name: 'App name',
  audience: 'Who uses the app?',
  redirectUris: 'Redirect URI',
  keys: 'Public keys (JWKS)',
}

export default function NewApp() {
  const { back, lint, idempotencyKey } = useLoaderData<typeof loader>()
  const [report, setReport] = useState<TypedReport | null>(null)
  // The key stays the same when the loader runs again, so that a form sent twice creates one app.
  const [formKey] = useState(idempotencyKey)
  return (
    <div className="page narrow">
      <PageHeader title="New app">
        You get a sandbox client ID immediately. You can add what production needs later.
      </PageHeader>
      <ContractForm
        optional={['name', 'audience', 'redirectUris', 'keys']}
        labels={labels}
        defaultValue={{ audience: 'patient' }}
        hidden={{ idempotencyKey: formKey }}
        keepAs={`new app ${back}`}
        button="Create app"
        busy="Creating"
        className="card pad stack gap-5 new-app"
        cancel={back}
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
    </div>
  )
}

/** Reports an error of the pasted or fetched keys on this form's single field for both. */
function nameKeysField(thrown: unknown): never {
  if (!isProblem(thrown) || (thrown.field !== 'jwks' && thrown.field !== 'jwksUrl')) throw thrown
  const { kind, message, detail = '' } = thrown
  throw new Problem(kind, { message, detail, field: 'keys' })
}
