import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import { agreementAction, agreementLoader } from '../../shared/agreements/agreement.server.ts'
import { AgreementScreen } from '../../shared/agreements/agreement-screen.tsx'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'

export const meta: MetaFunction = () => [{ title: 'Agreement · Sandpiper' }]

export const loader = agreementLoader('practice')
export const action = agreementAction('practice')

export default function Agreement() {
  const of = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={of.account} realm="practice">
      <AgreementScreen of={of} />
    </ConsoleFrame>
  )
}
