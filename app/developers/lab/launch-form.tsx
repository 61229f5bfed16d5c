import type { SubmissionResult } from '@conform-to/react'
import { launchForm } from '../../../server/contract/forms/lab.ts'
import { Check, Choices } from '../../components/ui/choice.tsx'
import { choiceHint, type Offered } from '../../components/ui/choice-search.tsx'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { Field, Select } from '../../components/ui/field.tsx'

type Option = { value: string; label: string; sub?: string }

export interface LaunchOptions {
  kinds: readonly Option[]
  signIns: readonly Option[]
  /** The example app is one of its rows and not counted. */
  apps: Offered
  patients: readonly Option[]
  clinicians: readonly Option[]
  faults: readonly Option[]
}

const labels = {
  kind: 'Which launch',
  app: 'App',
  signIn: 'Who signs in',
  patient: 'Patient',
  clinician: 'Clinician',
  encounter: 'Visit',
  intent: 'Intent',
  banner: 'Banner',
  fault: 'What goes wrong',
}

/** Everything a launch is made of; what does not concern its kind is left aside. */
export function LaunchForm({
  options,
  lastResult,
}: {
  options: LaunchOptions
  lastResult: SubmissionResult<string[]> | undefined
}) {
  return (
    <ContractForm
      schema={launchForm}
      labels={labels}
      lastResult={lastResult}
      defaultValue={{
        kind: 'ehr',
        app: options.apps.rows[0]?.value,
        patient: options.patients[0]?.value,
        clinician: options.clinicians[0]?.value,
        signIn: 'at_once',
        fault: 'none',
        banner: 'on',
      }}
      button="Launch"
      busy="Launching"
    >
      <Choices name="kind" options={options.kinds} />
      <Select
        name="app"
        options={options.apps.rows}
        hint={[
          'The example app is run by the server, which holds its tokens. Your own app gets a link, or begins by itself.',
          choiceHint(options.apps, 'apps'),
        ]
          .filter(Boolean)
          .join(' ')}
      />
      <Choices name="signIn" options={options.signIns} />
      <Select
        name="patient"
        options={options.patients}
        hint="The chart that is open. Where a patient launches, also who is signed in at once. Not for systems."
      />
      <Select
        name="clinician"
        options={options.clinicians}
        hint="Who is signed in at once, in launches by clinicians."
      />
      <Field
        name="encounter"
        mono
        hint="An id of a visit of the patient, or nothing. For launches from a chart or portal."
      />
      <Field
        name="intent"
        mono
        hint="A short word the app understands, such as reconcile-medications, or nothing."
      />
      <Check name="banner">The app must show whose record it is (need_patient_banner)</Check>
      <Select
        name="fault"
        options={options.faults}
        hint="In this launch alone, once. The guide says what a client sees of each."
      />
    </ContractForm>
  )
}
