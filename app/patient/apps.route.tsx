import { useLoaderData } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { page } from '../services.server.ts'
import { loadAllowedApps, stopApp } from '../shared/consent/allowed-apps.server.ts'
import { AllowedApps } from '../shared/consent/allowed-apps.tsx'
import { PatientFrame } from './patient-frame.tsx'

export const meta = () => [{ title: 'Apps you allowed · Sandpiper' }]

export const loader = page((args) => loadAllowedApps(args, 'patient'))
export const action = page((args) => stopApp(args, 'patient', paths.patientApps))

export default function PatientApps() {
  const { account, apps } = useLoaderData<typeof loader>()
  return (
    <PatientFrame account={account}>
      <AllowedApps apps={apps} />
    </PatientFrame>
  )
}
