import { paths } from '../../server/contract/portal/paths.ts'
import { page } from '../services.server.ts'
import { Gate } from '../shared/frames/gate.tsx'
import { signIn, skipSignedIn } from '../shared/sign-in/sign-in.server.ts'
import { SignInForm } from '../shared/sign-in/sign-in-form.tsx'

export const meta = () => [{ title: 'Patient sign-in · Sandpiper' }]

export const loader = page((args) => skipSignedIn(args, 'patient', paths.patientApps))
export const action = page((args) => signIn(args, 'patient', paths.patientApps))

export default function PatientSignIn() {
  return (
    <Gate
      title="Patient sign-in"
      lead="See which apps can read your record, and stop them."
      after={<p>Your practice creates your account. All patients in the sandbox are synthetic.</p>}
    >
      <SignInForm emailLabel="Email" />
    </Gate>
  )
}
