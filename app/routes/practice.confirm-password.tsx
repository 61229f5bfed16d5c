import type { MetaFunction } from '@remix-run/react'
import { useActionData, useLoaderData } from '@remix-run/react'
import { paths } from '../../server/contract/paths.ts'
import { ConfirmPasswordGate } from '../components/frames/confirm-password.tsx'
import { confirmPasswordAction, confirmPasswordLoader } from '../step-up.server.ts'

export const meta: MetaFunction = () => [{ title: 'Confirm your password · Sandpiper' }]

export const loader = confirmPasswordLoader({ realm: 'practice', first: paths.practiceAgreements })
export const action = confirmPasswordAction({ realm: 'practice', first: paths.practiceAgreements })

export default function ConfirmPassword() {
  const { email } = useLoaderData<typeof loader>()
  return (
    <ConfirmPasswordGate
      email={email}
      lastResult={useActionData<typeof action>()?.lastResult}
      leaveTo={paths.practiceAgreements}
    />
  )
}
