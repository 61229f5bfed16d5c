import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import { changeAction, changeLoader } from '../../shared/agreements/change-agreement.server.ts'
import { ChangeAgreement } from '../../shared/agreements/change-agreement.tsx'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'

export const meta: MetaFunction = () => [{ title: 'Propose a change · Sandpiper' }]

export const loader = changeLoader('practice')
export const action = changeAction('practice')

export default function ChangeAgreementPage() {
  const of = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={of.account} realm="practice">
      <ChangeAgreement of={of} />
    </ConsoleFrame>
  )
}
