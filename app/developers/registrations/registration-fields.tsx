import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { fileRules } from '../../../server/contract/forms/files.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import {
  attestations,
  fieldLabels,
  logoLimits,
  type RegistrationField,
  type RegistrationForm,
} from '../../../server/contract/workflows/registration-form.ts'
import {
  fieldsOfOtherSteps,
  type RegistrationStep,
  registrationStepNames,
  registrationSteps,
} from '../../../server/contract/workflows/registration-steps.ts'
import { Check, Choices, type ChoicesProps } from '../../components/ui/choice.tsx'
import { FileField } from '../../components/ui/file-field.tsx'
import { Field, TextArea } from '../../components/ui/form.tsx'
import { Card, SubmitButton } from '../../components/ui/page-parts.tsx'
import { FieldNotes } from './field-notes.tsx'
import { noteOf, type TypedReport } from './typed-report.ts'

type FieldFaults = Partial<Record<RegistrationField, string>>

interface FieldsProps {
  form: RegistrationForm
  faults: FieldFaults
  /** The linter's report on the form as it is typed. */
  report: Pick<LintReport, 'findings' | 'unopened'> & Partial<Pick<TypedReport, 'explained'>>
  /** The path of the scope studio. */
  studio: string
}

/** The kinds of users of an app, for both forms. */
export const audienceOptions: ChoicesProps['options'] = [
  { value: 'patient', label: 'Patients', sub: 'They sign in and choose what the app may read.' },
  { value: 'clinician', label: 'Clinicians', sub: 'They sign in, or open the app from the EHR.' },
  { value: 'backend', label: 'A backend system', sub: 'No one signs in. A practice allows the system.' },
]

export const clientTypeOptions: ChoicesProps['options'] = [
  {
    value: 'none',
    label: 'Public, with PKCE',
    sub: 'In a browser or on a device, where an app can’t keep a secret.',
  },
  {
    value: 'private_key_jwt',
    label: 'Signs its requests',
    sub: 'With a private key on a server. Add the public keys below.',
  },
  {
    value: 'client_secret_basic',
    label: 'Has a secret',
    sub: 'On your server. We create the secret and show it once.',
  },
]

/** The fields of one step of a draft, or all of them. Plain fields: they work without a script. */
export function RegistrationFields({ step, ...props }: FieldsProps & { step: RegistrationStep | null }) {
  if (step === null)
    return registrationStepNames.map((name) => <StepFields {...props} step={name} key={name} />)
  return (
    <>
      {fieldsOfOtherSteps(step).map((name) => (
        <Hidden key={name} name={name} value={props.form[name]} />
      ))}
      <StepFields {...props} step={step} isStep />
    </>
  )
}

/** A field of another step. The form is saved and checked as a whole. */
function Hidden({ name, value }: { name: RegistrationField; value: RegistrationForm[RegistrationField] }) {
  if (value === false) return null
  const text = value === true ? 'on' : typeof value === 'string' ? value : value.join('\n')
  return <input type="hidden" name={name} value={text} />
}

function StepFields({ step, ...props }: FieldsProps & { step: RegistrationStep; isStep?: boolean }) {
  const { form, faults } = props
  switch (step) {
    case 'app':
      return (
        <Section step={step}>
          <Text {...props} name="name" hint="People see it when the app requests access." />
          <Area
            {...props}
            name="description"
            rows={4}
            hint="Describe what it does, and for whom. Don’t include information about real people."
          />
          <Logo form={form} fault={faults.logo} />
          <Text {...props} name="website" mono hint="A complete https URL." />
        </Section>
      )
    case 'policies':
      return (
        <Section step={step}>
          <Text {...props} name="privacyUrl" mono hint="A complete https URL." />
          <Text {...props} name="termsUrl" mono />
          <Text {...props} name="technicalContact" hint="We email questions about this request here." />
          <Text
            {...props}
            name="securityContact"
            hint="We email this address if an incident involves the app."
          />
        </Section>
      )
    case 'sign-in':
      return <SignIn {...props} />
    case 'scopes':
      return (
        <Section step={step}>
          <Area
            {...props}
            name="scope"
            rows={3}
            mono
            hint="Choose them in the scope studio, which shows what people will see. Or enter them here, separated by spaces."
          />
          {props.isStep ? (
            <div>
              <SubmitButton look="outline" name="next" value="studio" busy="Saving">
                Choose in the scope studio
              </SubmitButton>
            </div>
          ) : (
            <p>
              <Link to={props.studio}>Open the scope studio</Link>. Save your changes here first.
            </p>
          )}
        </Section>
      )
    case 'attestations':
      return (
        <Section step={step}>
          <ul className="list">
            {attestationNames.map((name) => (
              <li key={name} id={name}>
                {attestations[name]}
              </li>
            ))}
          </ul>
          <Check name="attestAll" checked={attestationNames.every((name) => form[name])}>
            I confirm all {attestationNames.length} statements.
          </Check>
        </Section>
      )
  }
}

const attestationNames = Object.keys(attestations) as (keyof typeof attestations)[]

function Section({ step, children }: { step: RegistrationStep; children: ReactNode }) {
  return (
    <Card id={`section-${step}`} title={registrationSteps[step].title}>
      <div className="pad stack gap-5">{children}</div>
    </Card>
  )
}

interface FieldProps extends FieldsProps {
  name: RegistrationField
  hint?: string
  mono?: boolean
}

/** The props of a form field for a field of the registration. */
function toField({ form, faults, report, name, mono = false, hint }: FieldProps) {
  const value = form[name]
  return {
    name,
    label: fieldLabels[name],
    value: Array.isArray(value) ? value.join('\n') : String(value),
    fault: faults[name] ?? noteOf(report, name).fault,
    mono,
    ...(mono ? { spellCheck: false } : {}),
    ...(hint === undefined ? {} : { hint }),
  }
}

const Text = (props: FieldProps) => (
  <Noted {...props}>
    <Field {...toField(props)} autoComplete="off" />
  </Noted>
)

const Area = ({ rows, ...props }: FieldProps & { rows: number }) => (
  <Noted {...props}>
    <TextArea {...toField(props)} rows={rows} />
  </Noted>
)

function Options({ options, ...props }: FieldProps & { options: ChoicesProps['options'] }) {
  const { name, label, value, fault } = toField(props)
  return (
    <Noted {...props}>
      <Choices name={name} value={value} fault={fault} legend={label} options={options} />
    </Noted>
  )
}

/** A field with the linter's notes. */
function Noted({ report, name, children }: FieldProps & { children: ReactNode }) {
  return (
    <div className="stack tight">
      {children}
      <FieldNotes report={report} fields={[name]} withoutFault />
    </div>
  )
}

function Logo({ form, fault }: { form: RegistrationForm; fault: string | undefined }) {
  return (
    <>
      <FileField
        id="logo"
        name="logoFile"
        label={fieldLabels.logo}
        rule={fileRules.logo}
        hint={`PNG, JPEG or WebP, at most ${fileRules.logo.bytesMax / 1_024} kB. We redraw it, ${logoLimits.side} pixels at most.`}
        fault={fault}
      >
        {form.logo && <img className="logo" src={paths.logo(form.logo)} alt="Current logo" />}
      </FileField>
      <input type="hidden" name="logo" value={form.logo} />
    </>
  )
}

function SignIn(props: FieldsProps) {
  return (
    <Section step="sign-in">
      <Options {...props} name="audience" options={audienceOptions} />
      <Options {...props} name="clientType" options={clientTypeOptions} />
      <Area
        {...props}
        name="redirectUris"
        rows={3}
        mono
        hint="Exactly as the app sends them, one per line: https, http://localhost for your own machine, or com.example.app:/callback for a native app."
      />
      <Text
        {...props}
        name="launchUrl"
        mono
        hint="The URL an EHR opens. Leave it empty if people open the app directly."
      />
      <Text
        {...props}
        name="jwksUrl"
        mono
        hint="For apps that sign their requests: the URL that serves the public keys."
      />
      <Area {...props} name="jwks" rows={3} mono hint="Or the key set itself. Public keys only." />
    </Section>
  )
}
