import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { page } from '../services.server.ts'
import { loadAllowedApps, stopApp } from '../shared/consent/allowed-apps.server.ts'
import { AllowedApps } from '../shared/consent/allowed-apps.tsx'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'

export const meta: MetaFunction = () => [{ title: 'Apps you allowed · Sandpiper' }]

export const loader = page((args: LoaderFunctionArgs) => loadAllowedApps(args, 'practice'))
export const action = page((args: ActionFunctionArgs) => stopApp(args, 'practice', paths.practiceApps))

export default function PracticeApps() {
  const { account, apps } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="practice">
      <AllowedApps apps={apps} />
    </ConsoleFrame>
  )
}
