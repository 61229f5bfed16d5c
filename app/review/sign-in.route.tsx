import { paths } from '../../server/contract/portal/paths.ts'
import { page } from '../services.server.ts'
import { Gate } from '../shared/frames/gate.tsx'
import { signIn, skipSignedIn } from '../shared/sign-in/sign-in.server.ts'
import { SignInForm } from '../shared/sign-in/sign-in-form.tsx'

export const meta = () => [{ title: 'Staff sign-in · Sandpiper' }]

export const loader = page((args) => skipSignedIn(args, 'staff', paths.reviewQueue))
export const action = page((args) => signIn(args, 'staff', paths.reviewQueue))

export default function StaffSignIn() {
  return (
    <Gate
      title="Staff sign-in"
      lead="For reviewers and operations."
      after={<p>Operators create staff accounts. Ask the person who runs this service.</p>}
    >
      <SignInForm emailLabel="Email" />
    </Gate>
  )
}
