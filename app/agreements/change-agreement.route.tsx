import { type ClientActionFunctionArgs, Link, useLoaderData } from '@remix-run/react'
import { deidentificationRules, offshoreRules } from '../../server/contract/forms/agreements.ts'
import { clauseField, fileRules } from '../../server/contract/forms/files.ts'
import {
  baaClauseNames,
  baaClauses,
  clausePlaceMax,
  templateClauses,
} from '../../server/contract/workflows/agreements.ts'
import { FileField } from '../components/ui/file-field.tsx'
import { ContractForm, Fault, Field, optionsOf, Select, TextArea } from '../components/ui/form.tsx'
import { Card, PageHeader, SubmitButton } from '../components/ui/page-parts.tsx'
import { useFormField } from '../lib/form-answer.ts'
import { keepWhenLost, loadUnlessLost } from '../lib/lost-connection.ts'
import { RealmPage } from '../shared/frames/realm-page.tsx'
import { baaFieldLabels } from './baa-field-labels.ts'
import { changeAction, changeLoader } from './change-agreement.server.ts'

export const meta = () => [{ title: 'Propose a change · Sandpiper' }]
export const handle = { here: 'Agreements' }

export const loader = changeLoader
export const action = changeAction
export const clientAction = ({ serverAction }: ClientActionFunctionArgs) => keepWhenLost(serverAction)
export const shouldRevalidate = loadUnlessLost

const labels = {
  ...baaFieldLabels,
  file: `PDF, at most ${fileRules.agreement.bytesMax / 1_000_000} MB`,
  clauses: 'Clauses',
  ...Object.fromEntries(baaClauseNames.map((clause) => [clauseField(clause), baaClauses[clause]])),
}

const optional = ['subcontractors', ...baaClauseNames.map(clauseField)]

/** A form for every field of a BAA, the reason for the change, and a document that replaces our template. */
export default function ChangeAgreement() {
  const agreement = useLoaderData<typeof loader>()
  return (
    <RealmPage narrow>
      <PageHeader title={agreement.amends ? 'Propose an amendment' : 'Propose a change'}>
        {agreement.amends
          ? 'The current agreement stays in force until both sides have signed the new one.'
          : 'The other side gets the new version to read and sign.'}
        {agreement.signed && ' Signatures on the current version no longer count.'}{' '}
        <Link to={agreement.self}>Back to the agreement</Link>
      </PageHeader>
      <ContractForm
        labels={labels}
        optional={optional}
        defaultValue={agreement.fields}
        keepAs={`change of ${agreement.self}`}
        hidden={{ version: agreement.version, idempotencyKey: agreement.idempotencyKey }}
        encType="multipart/form-data"
        className="stack gap-5"
      >
        <Card padded label="Parties">
          <Field name="developerLegalName" />
          <Field name="developerAddress" />
          <Field name="developerContactName" />
          <Field name="developerContactEmail" type="email" />
          <Field name="practiceLegalName" />
          <Field name="practiceAddress" />
          <Field name="practiceContactName" />
          <Field name="practiceContactEmail" type="email" />
        </Card>
        <Card padded label="Terms">
          <TextArea name="services" />
          <Select name="deidentification" options={optionsOf(deidentificationRules)} />
          <Select name="offshore" options={optionsOf(offshoreRules)} />
          <Field name="breachNoticeHours" inputMode="numeric" />
          <TextArea name="subcontractors" hint="Leave empty if no one else handles the data." rows={2} />
          <Field name="effectiveOn" hint="Format: YYYY-MM-DD" />
          <Field name="expiresOn" hint="Year-month-day, three years at most." />
          <Field name="terminationNoticeDays" inputMode="numeric" />
        </Card>
        {!agreement.amends && <UploadFields />}
        <Card padded label="Reason">
          <TextArea
            name="comment"
            label="Reason for the change"
            hint="The other side reads this. At least 10 characters."
            maxLength={2_000}
          />
          <SubmitButton busy="Sending">Send new version</SubmitButton>
        </Card>
      </ContractForm>
    </RealmPage>
  )
}

function UploadFields() {
  const { id, fault } = useFormField('clauses')
  const file = useFormField('file')
  const isWrong = fault !== undefined || file.fault !== undefined
  return (
    <details className="card pad" open={isWrong || undefined}>
      <summary>Use your own document instead</summary>
      <div className="stack mt-3">
        <FileField
          name="file"
          rule={fileRules.agreement}
          hint="Without a password. We keep the pages and remove links, forms and attachments. The fields above are recorded with it."
        />
        <fieldset className="choices" id={id} tabIndex={-1}>
          <legend>Where is each clause in it (45 CFR 164.504(e))?</legend>
          <p className="hint">
            For example, “Section 3.2, page 4”. The other side reads this next to our template.
          </p>
          {baaClauseNames.map((clause) => (
            <Field
              key={clause}
              name={clauseField(clause)}
              maxLength={clausePlaceMax}
              hint={`In our template: ${templateClauses[clause]}`}
            />
          ))}
          <Fault fault={fault} />
        </fieldset>
      </div>
    </details>
  )
}
