import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { page } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'
import { signIn, skipSignedIn } from '../../shared/sign-in/sign-in.server.ts'
import { SignInForm } from '../../shared/sign-in/sign-in-form.tsx'

export const meta = () => [{ title: 'Sign in · Sandpiper' }]

export const loader = page((args) => skipSignedIn(args, 'developer', paths.developers))
export const action = page((args) => signIn(args, 'developer', paths.developers))

export default function SignIn() {
  return (
    <Gate
      title="Sign in"
      lead="For developers."
      after={
        <>
          <p>
            <Link to={paths.forgotPassword}>Forgot your password?</Link>
          </p>
          <p>
            No account yet? <Link to={paths.signUp}>Sign up</Link>. No link in your email?{' '}
            <Link to="/verify-email/again">Send it again</Link>
          </p>
        </>
      }
    >
      <SignInForm emailLabel="Work email" />
    </Gate>
  )
}
