import type { MetaFunction } from '@remix-run/react'
import { useActionData, useLoaderData } from '@remix-run/react'
import { paths } from '../../server/contract/paths.ts'
import { ConfirmPasswordGate } from '../components/frames/confirm-password.tsx'
import { confirmPasswordAction, confirmPasswordLoader } from '../step-up.server.ts'

export const meta: MetaFunction = () => [{ title: 'Confirm your password · Sandpiper' }]

export const loader = confirmPasswordLoader({ realm: 'developer', first: paths.developers })
export const action = confirmPasswordAction({ realm: 'developer', first: paths.developers })

export default function ConfirmPassword() {
  const { email } = useLoaderData<typeof loader>()
  return (
    <ConfirmPasswordGate
      email={email}
      lastResult={useActionData<typeof action>()?.lastResult}
      leaveTo={paths.developers}
    />
  )
}
