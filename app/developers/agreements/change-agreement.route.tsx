import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import { loadUnlessLost } from '../../lib/lost-connection.ts'
import { sendWithFiles } from '../../lib/upload.ts'
import { changeAction, changeLoader } from '../../shared/agreements/change-agreement.server.ts'
import { ChangeAgreement } from '../../shared/agreements/change-agreement.tsx'

export const meta: MetaFunction = () => [{ title: 'Propose a change · Sandpiper' }]
export const handle = { here: 'Agreements' }

export const loader = changeLoader('developer')
export const action = changeAction('developer')
export const clientAction = sendWithFiles
export const shouldRevalidate = loadUnlessLost

export default function ChangeAgreementPage() {
  const of = useLoaderData<typeof loader>()
  return (
    <div className="page narrow">
      <ChangeAgreement of={of} />
    </div>
  )
}
