import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import { agreementAction, agreementLoader } from '../../shared/agreements/agreement.server.ts'
import { AgreementScreen } from '../../shared/agreements/agreement-screen.tsx'

export const meta: MetaFunction = () => [{ title: 'Agreement · Sandpiper' }]
export const handle = { here: 'Agreements' }

export const loader = agreementLoader('developer')
export const action = agreementAction('developer')

export default function Agreement() {
  const of = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <AgreementScreen of={of} />
    </div>
  )
}
