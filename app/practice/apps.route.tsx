import { useLoaderData } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { page } from '../services.server.ts'
import { loadAllowedApps, stopApp } from '../shared/consent/allowed-apps.server.ts'
import { AllowedApps } from '../shared/consent/allowed-apps.tsx'

export const meta = () => [{ title: 'Apps you allowed · Sandpiper' }]
export const handle = { here: 'Apps you allowed' }

export const loader = page((args) => loadAllowedApps(args, 'practice'))
export const action = page((args) => stopApp(args, 'practice', paths.practiceApps))

export default function PracticeApps() {
  const { apps } = useLoaderData<typeof loader>()
  return <AllowedApps apps={apps} />
}
