import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import { loadUnlessLost } from '../../lib/lost-connection.ts'
import { sendWithFiles } from '../../lib/upload.ts'
import { changeAction, changeLoader } from '../../shared/agreements/change-agreement.server.ts'
import { ChangeAgreement } from '../../shared/agreements/change-agreement.tsx'

export const meta: MetaFunction = () => [{ title: 'Propose a change · Sandpiper' }]

export const loader = changeLoader('practice')
export const action = changeAction('practice')
export const clientAction = sendWithFiles
export const shouldRevalidate = loadUnlessLost

export default function ChangeAgreementPage() {
  return <ChangeAgreement of={useLoaderData<typeof loader>()} />
}
