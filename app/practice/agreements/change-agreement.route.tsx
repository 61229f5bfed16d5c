import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import { changeAction, changeLoader } from '../../shared/agreements/change-agreement.server.ts'
import { ChangeAgreement } from '../../shared/agreements/change-agreement.tsx'

export const meta: MetaFunction = () => [{ title: 'Propose a change · Sandpiper' }]

export const handle = { here: 'Agreements' }

export const loader = changeLoader('practice')
export const action = changeAction('practice')

export default function ChangeAgreementPage() {
  return <ChangeAgreement of={useLoaderData<typeof loader>()} />
}
