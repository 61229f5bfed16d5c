import { Link, useLoaderData } from '@remix-run/react'
import { launchKindRow } from '../../../server/contract/lab/launch-lab.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Rocket } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card, EmptyState, LinkButton, Moment } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Your launches · Sandpiper' }]

export const loader = page(async ({ request, context }) => ({
  launches: await context.services.openLaunches.listLog(request.headers.get('cookie')),
}))

export default function LaunchLogs() {
  const { launches } = useLoaderData<typeof loader>()
  return (
    <Gate
      open
      wide
      title="Your launches of the last hour"
      lead="Only this browser can read them. People you share a link with don’t see them."
    >
      <div className="stack gap-5">
        {launches.length === 0 ? (
          <EmptyState icon={Rocket} title="No launches">
            Launch an app from this browser. Its requests and responses appear here for one hour.
          </EmptyState>
        ) : (
          <Card>
            <DataTable label="Launches" heads={['Launch type', 'Patient', 'Started', 'State']}>
              {launches.map(({ id, kind, patientId, startedAt, open }) => (
                <Row key={id}>
                  <Cell>
                    <Link to={paths.openLaunchLog(id)}>{launchKindRow(kind).title}</Link>
                  </Cell>
                  <Cell label="Patient">
                    <code>{patientId}</code>
                  </Cell>
                  <Cell label="Started">
                    <Moment at={startedAt} />
                  </Cell>
                  <Cell label="State">{open ? 'Waiting for the app' : 'Used or expired'}</Cell>
                </Row>
              ))}
            </DataTable>
          </Card>
        )}
        <div>
          <LinkButton to={paths.openLaunch}>Create a launch link</LinkButton>
        </div>
      </div>
    </Gate>
  )
}
