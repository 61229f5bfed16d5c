import { Link, useLoaderData } from '@remix-run/react'
import { launchKindRow } from '../../../server/contract/lab/launch-lab.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Banner } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'
import { LaunchSteps } from '../../shared/launches/launch-steps.tsx'

export const meta = () => [{ title: 'Launch inspector · Sandpiper' }]

export const loader = page(async ({ params, request, context }) => ({
  launch: await context.services.openLaunches.getLog(params.launch ?? '', request.headers.get('cookie')),
}))

export default function LaunchLog() {
  const { launch } = useLoaderData<typeof loader>()
  return (
    <Gate
      wide
      title={`Launch inspector: ${launchKindRow(launch.kind).title}`}
      lead="Your app’s requests and our responses, in order. Codes and tokens are shortened to four characters. Discovery requests appear only if they come from your network."
      after={
        <p>
          <Link to={paths.openLaunchLogs}>Your launches of the last hour</Link> ·{' '}
          <Link to={paths.openLaunch}>Create a launch link</Link>
        </p>
      }
    >
      <div className="stack gap-5">
        {launch.open && (
          <Banner tone="turn" title="The app has not requested authorization yet.">
            It uses the client ID <code className="breaks">{launch.clientId}</code>. Reload this page to see
            its requests.
          </Banner>
        )}
        <LaunchSteps steps={launch.steps} />
      </div>
    </Gate>
  )
}
