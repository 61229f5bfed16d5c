import { Form } from '@remix-run/react'
import { launchForm } from '../../../server/contract/forms/lab.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Check, Choices } from '../../components/ui/choice.tsx'
import { choiceHint, type Offered } from '../../components/ui/choice-search.tsx'
import { Field, Select } from '../../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../../components/ui/form.tsx'

type Option = { value: string; label: string; sub?: string }

export interface LaunchOptions {
  kinds: readonly Option[]
  /** The example app is one of its rows and not counted. */
  apps: Offered
  patients: readonly Option[]
  clinicians: readonly Option[]
  faults: readonly Option[]
}

const labels = {
  kind: 'Which launch',
  app: 'App',
  patient: 'Patient',
  clinician: 'Clinician who signs in',
  encounter: 'Visit',
  intent: 'Intent',
  banner: 'Banner',
  fault: 'What goes wrong',
}

type Meta = Parameters<typeof Field>[0]['meta']

/** Everything a launch is made of; what does not concern its kind is left aside. */
export function LaunchForm({ options, lastResult }: { options: LaunchOptions; lastResult: unknown }) {
  const [form, fields] = useContractForm({
    schema: launchForm as never,
    lastResult: lastResult as never,
    defaultValue: {
      kind: 'ehr',
      app: options.apps.rows[0]?.value,
      patient: options.patients[0]?.value,
      clinician: options.clinicians[0]?.value,
      fault: 'none',
      banner: 'on',
    },
  })
  const shown = fields as unknown as Record<keyof typeof labels, Meta>
  return (
    <Form method="post" {...formProps(form)} className="card pad stack gap-6">
      <ErrorSummary form={form} fields={fields} labels={labels} />
      <Choices meta={shown.kind} legend={labels.kind} options={options.kinds} />
      <Select
        meta={shown.app}
        label={labels.app}
        options={options.apps.rows}
        hint={[
          'The example app is run by the server, which holds its tokens. Your own app gets a link, or begins by itself.',
          choiceHint(options.apps, 'apps'),
        ]
          .filter(Boolean)
          .join(' ')}
      />
      <Select
        meta={shown.patient}
        label={labels.patient}
        options={options.patients}
        hint="Signs in where a patient launches; else the chart in front of the clinician. Not for systems."
      />
      <Select
        meta={shown.clinician}
        label={labels.clinician}
        options={options.clinicians}
        hint="For launches by clinicians."
      />
      <Field
        meta={shown.encounter}
        label={labels.encounter}
        mono
        hint="An id of a visit of the patient, or nothing. For launches from a chart or portal."
      />
      <Field
        meta={shown.intent}
        label={labels.intent}
        mono
        hint="A short word the app understands, such as reconcile-medications, or nothing."
      />
      <Check meta={shown.banner as never}>The app must show whose record it is (need_patient_banner)</Check>
      <Select
        meta={shown.fault}
        label={labels.fault}
        options={options.faults}
        hint="In this launch alone, once. The guide says what a client sees of each."
      />
      <div className="row">
        <SubmitButton busy="Launching">Launch</SubmitButton>
      </div>
    </Form>
  )
}
