import { useLoaderData } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { page } from '../services.server.ts'
import { endOwnSession, loadOwnSessions } from '../shared/sign-in/own-sessions.server.ts'
import { OwnSessions } from '../shared/sign-in/own-sessions.tsx'
import { PatientFrame } from './patient-frame.tsx'

export const meta = () => [{ title: 'Sessions · Sandpiper' }]

export const loader = page((args) => loadOwnSessions(args, 'patient'))
export const action = page((args) => endOwnSession(args, 'patient', paths.patientSessions))

export default function Sessions() {
  const { account, ...own } = useLoaderData<typeof loader>()
  return (
    <PatientFrame account={account}>
      <OwnSessions {...own} />
    </PatientFrame>
  )
}
