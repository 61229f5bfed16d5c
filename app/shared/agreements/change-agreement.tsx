import { Link } from '@remix-run/react'
import {
  type BaaClause,
  baaClauses,
  baaFields,
  deidentificationRules,
  offshoreRules,
} from '../../../server/contract/workflows/agreements.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Check } from '../../components/ui/choice.tsx'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { Field, optionsOf, Select, TextArea } from '../../components/ui/field.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import type { changeLoader } from './change-agreement.server.ts'

const labels = {
  developerLegalName: 'Developer, legal name',
  developerAddress: 'Developer, address',
  developerContactName: 'Developer, contact',
  developerContactEmail: 'Developer, mail of the contact',
  practiceLegalName: 'Practice, legal name',
  practiceAddress: 'Practice, address',
  practiceContactName: 'Practice, contact',
  practiceContactEmail: 'Practice, mail of the contact',
  services: 'Services and purpose',
  deidentification: 'De-identification',
  offshore: 'Place of the data',
  breachNoticeHours: 'Notice of a breach, hours',
  subcontractors: 'Subcontractors',
  effectiveOn: 'Begins on',
  expiresOn: 'Last day',
  terminationNoticeDays: 'Notice to end it, days',
} as const

interface ChangeProps {
  of: Omit<Awaited<ReturnType<ReturnType<typeof changeLoader>>>, 'account'>
}

/** Every field of a BAA, why it changes, and in place of our text a document of one's own. */
export function ChangeAgreement({ of }: ChangeProps) {
  return (
    <>
      <PageHeader title={of.amends ? 'Propose an amendment' : 'Propose a change'}>
        {of.amends
          ? 'The present document stays in force until both sides have signed the new one, which then takes its place.'
          : 'The other side gets the new version to read and sign.'}
        {of.signed && ' The signature on the present version will not count any more.'}{' '}
        <Link to={of.self}>Back to the document</Link>
      </PageHeader>
      <ContractForm
        schema={baaFields}
        labels={labels}
        defaultValue={of.fields}
        keepAs={`change of ${of.self}`}
        hidden={{ version: of.version, idempotencyKey: of.idempotencyKey }}
        encType="multipart/form-data"
        className="stack gap-6"
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
          <TextArea name="subcontractors" hint="Empty: nobody else touches the data." rows={2} />
          <Field name="effectiveOn" hint="Year-month-day." />
          <Field name="expiresOn" hint="Year-month-day, at most three years." />
          <Field name="terminationNoticeDays" inputMode="numeric" />
        </Card>
        {!of.amends && <UploadFields />}
        <Card padded label="Why">
          <TextArea
            name="comment"
            label="Why you change it"
            hint="The other side reads it. At least 10 characters."
            maxLength={2_000}
          />
          <div>
            <SubmitButton busy="Sending">Send the new version</SubmitButton>
          </div>
        </Card>
      </ContractForm>
    </>
  )
}

function UploadFields() {
  return (
    <details className="card pad">
      <summary>Use a document of your own instead</summary>
      <div className="stack mt-3">
        <div className="field">
          <label htmlFor="file">PDF, at most 900 kB</label>
          <input className="input" id="file" name="file" type="file" accept="application/pdf" />
          <p className="hint">
            We keep it as it comes and never open it. The fields above are recorded beside it.
          </p>
        </div>
        <fieldset className="choices">
          <legend>Tick each clause that you found in it (45 CFR 164.504(e))</legend>
          {(Object.keys(baaClauses) as BaaClause[]).map((clause) => (
            <Check key={clause} name={`clause-${clause.replaceAll('_', '-')}`}>
              {baaClauses[clause]}
            </Check>
          ))}
        </fieldset>
      </div>
    </details>
  )
}
