import { Link } from '@remix-run/react'
import { stepUpForm } from '../../../server/contract/forms/account.ts'
import { stepUpMinutes } from '../../../server/contract/portal/step-up.ts'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Gate } from '../../shared/frames/gate.tsx'

interface ConfirmPasswordProps {
  email: string
  /** Where the cancel link leads. */
  leaveTo: string
}

/** The password again; the same in every realm. */
export function ConfirmPasswordGate({ email, leaveTo }: ConfirmPasswordProps) {
  return (
    <Gate
      title="Confirm your password"
      lead={`For security, this step needs your password from the last ${stepUpMinutes} minutes.`}
      after={
        <p>
          <Link to={leaveTo}>Cancel</Link>
        </p>
      }
    >
      <ContractForm
        schema={stepUpForm}
        labels={{ password: 'Password' }}
        button="Confirm"
        busy="Checking"
        wide
      >
        <p className="muted">
          You are signed in as <b className="text-ink">{email}</b>.
        </p>
        <Field name="password" type="password" autoComplete="current-password" />
      </ContractForm>
    </Gate>
  )
}
