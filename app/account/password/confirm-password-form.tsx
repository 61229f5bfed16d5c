import type { SubmissionResult } from '@conform-to/react'
import { Form, Link } from '@remix-run/react'
import { stepUpForm } from '../../../server/contract/forms/account.ts'
import { stepUpMinutes } from '../../../server/contract/portal/step-up.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../../components/ui/form.tsx'
import { Gate } from '../../shared/frames/gate.tsx'

interface ConfirmPasswordProps {
  email: string
  lastResult: SubmissionResult<string[]> | null | undefined
  /** Where whoever does not want to goes. */
  leaveTo: string
}

/** The password again; the same in every realm. */
export function ConfirmPasswordGate({ email, lastResult, leaveTo }: ConfirmPasswordProps) {
  const [form, fields] = useContractForm({ schema: stepUpForm, lastResult })
  return (
    <Gate
      title="Confirm your password"
      lead={`What comes next needs a password typed in the last ${stepUpMinutes} minutes.`}
      after={
        <p>
          <Link to={leaveTo}>Not now</Link>
        </p>
      }
    >
      <Form method="post" {...formProps(form)} className="card pad stack">
        <ErrorSummary form={form} fields={fields} labels={{ password: 'Password' }} />
        <p className="muted">
          You are signed in as <b className="text-ink">{email}</b>.
        </p>
        <Field meta={fields.password} label="Password" type="password" autoComplete="current-password" />
        <SubmitButton busy="Checking">Confirm</SubmitButton>
      </Form>
    </Gate>
  )
}
