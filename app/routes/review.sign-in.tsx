import type { MetaFunction } from '@remix-run/react'
import { useActionData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Gate } from '../components/frames/gate.tsx'
import { SignInForm } from '../components/frames/sign-in-form.tsx'
import { page } from '../services.server.ts'
import { signIn, skipSignedIn } from '../sign-in.server.ts'

export const meta: MetaFunction = () => [{ title: 'Staff sign-in · Sandpiper' }]

export const loader = page((args: LoaderFunctionArgs) => skipSignedIn(args, 'staff', '/staff'))
export const action = page((args: ActionFunctionArgs) => signIn(args, 'staff', '/staff'))

export default function StaffSignIn() {
  return (
    <Gate
      title="Staff sign-in"
      lead="For reviewers and operations."
      after={<p>Accounts are made for you. Ask whoever runs this service.</p>}
    >
      <SignInForm lastResult={useActionData<typeof action>()?.lastResult} emailLabel="Email" />
    </Gate>
  )
}
