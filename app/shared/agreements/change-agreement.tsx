import { Form, Link } from '@remix-run/react'
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
import { Field, optionsOf, Select, TextArea } from '../../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../../components/ui/form.tsx'
import { KeepInput } from '../../components/ui/keep-input.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import type { changeAction, changeLoader } from './change-agreement.server.ts'

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

type Answer = Awaited<ReturnType<ReturnType<typeof changeAction>>>
interface ChangeProps {
  of: Omit<Awaited<ReturnType<ReturnType<typeof changeLoader>>>, 'account'>
  lastResult: Extract<Answer, { data: { lastResult: unknown } }>['data']['lastResult'] | undefined
}

/** Every field of a BAA, why it changes, and in place of our text a document of one's own. */
export function ChangeAgreement({ of, lastResult }: ChangeProps) {
  const [form, fields] = useContractForm({ schema: baaFields, lastResult, defaultValue: of.fields })
  return (
    <>
      <PageHeader title={of.amends ? 'Propose an amendment' : 'Propose a change'}>
        {of.amends
          ? 'The present document stays in force until both sides have signed the new one, which then takes its place.'
          : 'The other side gets the new version to read and sign.'}
        {of.signed && ' The signature on the present version will not count any more.'}{' '}
        <Link to={of.self}>Back to the document</Link>
      </PageHeader>
      <Form method="post" encType="multipart/form-data" {...formProps(form)} className="stack gap-6">
        <KeepInput name={`change of ${of.self}`} refused={lastResult?.status === 'error'} />
        <input type="hidden" name="version" value={of.version} />
        <input type="hidden" name="idempotencyKey" value={of.idempotencyKey} />
        <ErrorSummary form={form} fields={fields} labels={labels} />
        <Card padded label="Parties">
          <Field meta={fields.developerLegalName} label={labels.developerLegalName} />
          <Field meta={fields.developerAddress} label={labels.developerAddress} />
          <Field meta={fields.developerContactName} label={labels.developerContactName} />
          <Field meta={fields.developerContactEmail} label={labels.developerContactEmail} type="email" />
          <Field meta={fields.practiceLegalName} label={labels.practiceLegalName} />
          <Field meta={fields.practiceAddress} label={labels.practiceAddress} />
          <Field meta={fields.practiceContactName} label={labels.practiceContactName} />
          <Field meta={fields.practiceContactEmail} label={labels.practiceContactEmail} type="email" />
        </Card>
        <Card padded label="Terms">
          <TextArea meta={fields.services} label={labels.services} />
          <Select
            meta={fields.deidentification}
            label={labels.deidentification}
            options={optionsOf(deidentificationRules)}
          />
          <Select meta={fields.offshore} label={labels.offshore} options={optionsOf(offshoreRules)} />
          <Field meta={fields.breachNoticeHours} label={labels.breachNoticeHours} inputMode="numeric" />
          <TextArea
            meta={fields.subcontractors}
            label={labels.subcontractors}
            hint="Empty: nobody else touches the data."
            rows={2}
          />
          <Field meta={fields.effectiveOn} label={labels.effectiveOn} hint="Year-month-day." />
          <Field
            meta={fields.expiresOn}
            label={labels.expiresOn}
            hint="Year-month-day, at most three years."
          />
          <Field
            meta={fields.terminationNoticeDays}
            label={labels.terminationNoticeDays}
            inputMode="numeric"
          />
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
      </Form>
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
