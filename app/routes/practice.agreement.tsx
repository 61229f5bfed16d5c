import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import { agreementAction, agreementLoader } from '../agreement.server.ts'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { AgreementScreen } from '../components/records/agreement-screen.tsx'

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
