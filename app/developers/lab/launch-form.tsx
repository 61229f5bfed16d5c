import { Check, Choices } from '../../components/ui/choice.tsx'
import { choiceHint, type Offered } from '../../components/ui/choice-search.tsx'
import { ContractForm, Field, Select } from '../../components/ui/form.tsx'

type Option = { value: string; label: string; sub?: string }

export interface LaunchOptions {
  kinds: readonly Option[]
  signIns: readonly Option[]
  apps: Offered
  patients: readonly Option[]
  clinicians: readonly Option[]
  faults: readonly Option[]
}

const labels = {
  kind: 'Launch type',
  app: 'App',
  signIn: 'Person signing in',
  patient: 'Patient',
  clinician: 'Clinician',
  encounter: 'Visit',
  intent: 'Intent',
  banner: 'Banner',
  fault: 'Simulated fault',
}

/** Everything a launch is made of; what does not concern its kind is left aside. */
export function LaunchForm({ options }: { options: LaunchOptions }) {
  return (
    <ContractForm
      optional={['signIn', 'patient', 'clinician', 'encounter', 'intent', 'banner', 'fault']}
      labels={labels}
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
      <Select name="app" options={options.apps.rows} hint={choiceHint(options.apps, 'apps')} />
      <Choices name="signIn" options={options.signIns} />
      <Select
        name="patient"
        options={options.patients}
        hint="The open chart. In patient launches, also the person who is signed in automatically. Not used for systems."
      />
      <Select
        name="clinician"
        options={options.clinicians}
        hint="The person who is signed in automatically in clinician launches."
      />
      <Field
        name="encounter"
        mono
        hint="A visit ID of the patient, or empty. For launches from a chart or portal."
      />
      <Field
        name="intent"
        mono
        hint="A short word the app understands, such as reconcile-medications, or empty."
      />
      <Check name="banner">The app must show the patient’s name (need_patient_banner)</Check>
      <Select
        name="fault"
        options={options.faults}
        hint="Applies once, in this launch only. The guide describes each fault."
      />
    </ContractForm>
  )
}
