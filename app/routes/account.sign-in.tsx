import type { MetaFunction } from '@remix-run/react'
import { Link, useActionData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { Gate } from '../components/frames/gate.tsx'
import { SignInForm } from '../components/frames/sign-in-form.tsx'
import { page } from '../services.server.ts'
import { signIn, skipSignedIn } from '../sign-in.server.ts'

export const meta: MetaFunction = () => [{ title: 'Sign in · Sandpiper' }]

export const loader = page((args: LoaderFunctionArgs) => skipSignedIn(args, 'developer', paths.developers))
export const action = page((args: ActionFunctionArgs) => signIn(args, 'developer', paths.developers))

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
            No account yet? <Link to={paths.signUp}>Sign up</Link>. No link in your mail?{' '}
            <Link to="/verify-email/again">Send it again</Link>
          </p>
        </>
      }
    >
      <SignInForm lastResult={useActionData<typeof action>()?.lastResult} emailLabel="Work email" />
    </Gate>
  )
}
