import { type MetaFunction, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { page } from '../services.server.ts'
import { loadAllowedApps, stopApp } from '../shared/consent/allowed-apps.server.ts'
import { AllowedApps } from '../shared/consent/allowed-apps.tsx'
import { PatientFrame } from './patient-frame.tsx'

export const meta: MetaFunction = () => [{ title: 'Apps you allowed · Sandpiper' }]

export const loader = page((args: LoaderFunctionArgs) => loadAllowedApps(args, 'patient'))
export const action = page((args: ActionFunctionArgs) => stopApp(args, 'patient', paths.patientApps))

export default function PatientApps() {
  const { account, apps } = useLoaderData<typeof loader>()
  return (
    <PatientFrame account={account}>
      <AllowedApps apps={apps} />
    </PatientFrame>
  )
}
