import type { MetaFunction } from '@remix-run/react'
import { useActionData, useLoaderData } from '@remix-run/react'
import { type AgreementAnswer, agreementAction, agreementLoader } from '../agreement.server.ts'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { AgreementScreen } from '../components/records/agreement-screen.tsx'

export const meta: MetaFunction = () => [{ title: 'Agreement · Sandpiper' }]

export const loader = agreementLoader('practice')
export const action = agreementAction('practice')

export default function Agreement() {
  const of = useLoaderData<typeof loader>()
  const answer = useActionData<AgreementAnswer>()
  return (
    <ConsoleFrame account={of.account} realm="practice">
      <AgreementScreen of={of} answer={answer} />
    </ConsoleFrame>
  )
}
