import { page } from '../services.server.ts'
import { Gate } from '../shared/frames/gate.tsx'
import { signIn, skipSignedIn } from '../shared/sign-in/sign-in.server.ts'
import { SignInForm } from '../shared/sign-in/sign-in-form.tsx'

export const meta = () => [{ title: 'Practice sign-in · Sandpiper' }]

export const loader = page((args) => skipSignedIn(args, 'practice', '/practice'))
export const action = page((args) => signIn(args, 'practice', '/practice'))

export default function PracticeSignIn() {
  return (
    <Gate
      title="Practice sign-in"
      lead="For administrators, signatories and clinicians of a practice."
      after={
        <p>
          You need an invitation from your practice’s admin. If your practice is new here, ask the people who
          run this service.
        </p>
      }
    >
      <SignInForm emailLabel="Email" />
    </Gate>
  )
}
