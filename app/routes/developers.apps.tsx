import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { AppWindow, Ban, CircleCheck } from 'lucide-react'
import { paths } from '../../server/contract/paths.ts'
import { audienceNames, authenticationNames } from '../components/records/client-words.ts'
import { Empty } from '../components/ui/empty.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { Cell, Row, Table } from '../components/ui/table.tsx'
import { Tag } from '../components/ui/tag.tsx'
import { getOrganization } from '../organization.server.ts'
import { page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Apps · Sandpiper' }]
export const handle = { here: 'Apps' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization, actor } = await getOrganization(args)
  const apps = await args.context.services.clients.listForOrganization(organization.id, actor)
  return apps.map(({ clientId, name, audience, authentication, environment, state }) => ({
    clientId,
    name,
    audience,
    authentication,
    environment,
    state,
    to: paths.appFaults(organization.slug, clientId),
  }))
})

export default function Apps() {
  const apps = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHead title="Apps">What you registered for SMART on FHIR, and what went wrong with it.</PageHead>
      {apps.length === 0 ? (
        <Empty icon={AppWindow} title="No app is registered">
          An app has a client id and asks people, or a practice, before it reads. Registering one yourself is
          not open yet; once an app is registered, its errors and the Assertion Doctor are here.
        </Empty>
      ) : (
        <section className="card">
          <Table label="Apps" heads={['App', 'For', 'Client', 'Environment', 'State']}>
            {apps.map((app) => (
              <Row key={app.clientId}>
                <Cell>
                  <Link className="label" to={app.to}>
                    {app.name}
                  </Link>
                  <span className="sub">
                    <code className="breaks">{app.clientId}</code>
                  </span>
                </Cell>
                <Cell label="For">{audienceNames[app.audience]}</Cell>
                <Cell label="Client">{authenticationNames[app.authentication]}</Cell>
                <Cell label="Environment">{app.environment}</Cell>
                <Cell label="State">
                  <Tag
                    tone={app.state === 'active' ? 'ok' : 'quiet'}
                    icon={app.state === 'active' ? CircleCheck : Ban}
                  >
                    {app.state}
                  </Tag>
                </Cell>
              </Row>
            ))}
          </Table>
        </section>
      )}
    </div>
  )
}
