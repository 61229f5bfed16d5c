import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Card } from '../../components/ui/card.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Activity, CircleCheck } from '../../components/ui/icons.ts'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import { page } from '../../services.server.ts'
import { CallTable } from '../../shared/activity/call-table.tsx'
import { KeyPrefix } from '../../shared/keys/key-prefix.tsx'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { recentCalls } from './recent-calls.server.ts'
import { callsOf, Sparkline } from './sparkline.tsx'

export const meta: MetaFunction = () => [{ title: 'Activity · Sandpiper' }]
export const handle = { here: 'Logs' }

const keysShown = 10
const callsShown = 25

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization } = await getOrganization(args)
  const only = new URL(args.request.url).searchParams.get('show') === 'refused' ? 'refused' : undefined
  return {
    only,
    here: paths.organizationActivity(organization.slug),
    base: paths.organizationKeys(organization.slug),
    apps: paths.organizationApps(organization.slug),
    ...(await recentCalls(args, { keys: keysShown, calls: callsShown, only })),
  }
})

/** The last calls of all keys; each key's own page has them all, live and with filters. */
export default function OrganizationActivity() {
  const { keys, calls, base, apps, here, only } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHeader title="Activity">
        Recent calls with your most recently used keys. Open a key to see and filter all its calls. App errors
        are listed under <Link to={apps}>Apps</Link>.
      </PageHeader>
      {calls.length === 0 && !only ? (
        <EmptyState icon={Activity} title="No calls yet">
          Calls with your keys appear here within seconds. <Link to={base}>View your keys</Link>
        </EmptyState>
      ) : (
        <>
          <Card label="Keys">
            <ul className="pad list">
              {keys.map((key) => (
                <li key={key.id} className="row between">
                  <div>
                    <Link className="label" to={`${base}/${key.id}`}>
                      {key.name}
                    </Link>
                    <p className="small muted">
                      <KeyPrefix prefix={key.prefix} />
                    </p>
                  </div>
                  <div>
                    <Sparkline days={key.days} />
                    <p className="small muted">{callsOf(key.days)}</p>
                  </div>
                </li>
              ))}
            </ul>
          </Card>
          <Tabs
            label="Calls"
            tabs={[
              { to: here, label: 'Recent calls', current: !only },
              { to: `${here}?show=refused`, label: 'Refused', current: only === 'refused' },
            ]}
          />
          {calls.length === 0 ? (
            <EmptyState icon={CircleCheck} title="No refused calls">
              These keys’ refused calls are listed here with the reason.
            </EmptyState>
          ) : (
            <Card label={only ? 'Refused calls' : 'Recent calls'}>
              <CallTable label={only ? 'Refused calls' : 'Recent calls'} calls={calls} named />
            </Card>
          )}
        </>
      )}
    </div>
  )
}
