import type { MetaFunction } from '@remix-run/react'
import { useActionData, useLoaderData } from '@remix-run/react'
import { type AgreementAnswer, agreementAction, agreementLoader } from '../agreement.server.ts'
import { AgreementScreen } from '../components/records/agreement-screen.tsx'

export const meta: MetaFunction = () => [{ title: 'Agreement · Sandpiper' }]
export const handle = { here: 'Agreements' }

export const loader = agreementLoader('developer')
export const action = agreementAction('developer')

export default function Agreement() {
  const of = useLoaderData<typeof loader>()
  const answer = useActionData<AgreementAnswer>()
  return (
    <div className="page">
      <AgreementScreen of={of} answer={answer} />
    </div>
  )
}
