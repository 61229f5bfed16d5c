import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { AppWindow, Ban, CircleCheck, Clock } from 'lucide-react'
import { paths } from '../../server/contract/paths.ts'
import { registrationKinds, stateNames } from '../../server/contract/registration-workflow.ts'
import { audienceNames, authenticationNames } from '../components/records/client-words.ts'
import { LinkButton } from '../components/ui/button.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { Cell, Row, Table } from '../components/ui/table.tsx'
import { Tag } from '../components/ui/tag.tsx'
import { getOrganization } from '../organization.server.ts'
import { page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Apps · Sandpiper' }]
export const handle = { here: 'Apps' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization, actor } = await getOrganization(args)
  const { clients, registrations } = args.context.services
  const [apps, requests] = await Promise.all([
    clients.listForOrganization(organization.id, actor),
    registrations.list(organization.id, actor),
  ])
  const listed = apps.map(({ clientId, name, audience, authentication, environment, state }) => ({
    clientId,
    name,
    audience,
    authentication,
    environment,
    state,
    to: paths.appFaults(organization.slug, clientId),
  }))
  return {
    apps: listed,
    mayRegister: organization.role !== 'viewer',
    register: paths.newRegistration(organization.slug),
    requests: requests.map(({ id, name, kind, state, ball, updatedAt }) => ({
      id,
      name,
      kind,
      state,
      ball,
      updatedAt,
      to: paths.registration(organization.slug, id),
    })),
  }
})

export default function Apps() {
  const { apps, requests, register, mayRegister } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHead
        title="Apps"
        action={
          mayRegister && (
            <LinkButton look="primary" to={register}>
              Register an app
            </LinkButton>
          )
        }
      >
        What you registered for SMART on FHIR, and what went wrong with it.
      </PageHead>
      {apps.length === 0 && requests.length === 0 && (
        <Empty icon={AppWindow} title="No app is registered">
          An app has a client id and asks people, or a practice, before it reads. Saving a draft gives a
          sandbox client id at once; production is reviewed within five business days. It costs nothing.
        </Empty>
      )}
      {requests.length > 0 && (
        <section className="card" aria-labelledby="requests">
          <div className="head">
            <h2 id="requests">Registrations</h2>
          </div>
          <Table label="Registrations" heads={['App', 'Request', 'State', 'Changed']}>
            {requests.map(({ id, name, kind, state, ball, updatedAt, to }) => (
              <Row key={id}>
                <Cell>
                  <Link className="label" to={to}>
                    {name || 'Draft without a name'}
                  </Link>
                </Cell>
                <Cell label="Request">{registrationKinds[kind]}</Cell>
                <Cell label="State">
                  <Tag
                    tone={state === 'enabled' ? 'ok' : ball === 'developer' ? 'turn' : 'quiet'}
                    icon={state === 'enabled' ? CircleCheck : Clock}
                  >
                    {stateNames[state]}
                  </Tag>
                </Cell>
                <Cell label="Changed">
                  <Moment at={updatedAt} as="date" />
                </Cell>
              </Row>
            ))}
          </Table>
        </section>
      )}
      {apps.length > 0 && (
        <section className="card" aria-labelledby="clients">
          <div className="head">
            <h2 id="clients">Clients and their errors</h2>
          </div>
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
