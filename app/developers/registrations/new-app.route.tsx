import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { useState } from 'react'
import { fileRules } from '../../../server/contract/forms/files.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Choices } from '../../components/ui/choice.tsx'
import { FileField } from '../../components/ui/file-field.tsx'
import { ContractForm, Field, TextArea } from '../../components/ui/form.tsx'
import { Banner, PageHeader, SubmitButton } from '../../components/ui/page-parts.tsx'
import { loadUnlessLost } from '../../lib/lost-connection.ts'
import { sendWithFiles } from '../../lib/upload.ts'
import { getOrganization, page } from '../../services.server.ts'
import { FieldNotes, LintAsTyped } from './field-notes.tsx'
import { createNewApp } from './new-app.server.ts'
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

export const action = page(createNewApp)
export const clientAction = sendWithFiles
export const shouldRevalidate = loadUnlessLost

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
      <details>
        <summary>Start from a file</summary>
        <Form method="post" encType="multipart/form-data" className="card pad stack mt-3">
          <input type="hidden" name="idempotencyKey" value={`${formKey}-file`} />
          <FileField name="file" label="Registration as JSON" rule={fileRules.registration} />
          <SubmitButton look="outline" name="intent" value="file" busy="Creating">
            Create app from file
          </SubmitButton>
        </Form>
      </details>
    </div>
  )
}
