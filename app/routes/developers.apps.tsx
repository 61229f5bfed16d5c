import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { AppWindow, Ban, CircleCheck, Clock } from 'lucide-react'
import { readPageAsk } from '../../server/contract/paging.ts'
import { paths } from '../../server/contract/paths.ts'
import { registrationKinds, stateNames } from '../../server/contract/registration-workflow.ts'
import { audienceNames, authenticationNames } from '../components/records/client-words.ts'
import { LinkButton } from '../components/ui/button.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { ListSearch, Pager } from '../components/ui/list-tools.tsx'
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
  // One search over both lists, each with pages of its own.
  const query = new URL(args.request.url).searchParams
  const [clientList, requestList] = await Promise.all([
    clients.listPage(organization.id, readPageAsk(query, { q: 'q', page: 'clients-page' }), actor),
    registrations.listPage(organization.id, readPageAsk(query), actor),
  ])
  const apps = clientList.rows.map(({ clientId, name, audience, authentication, environment, state }) => ({
    clientId,
    name,
    audience,
    authentication,
    environment,
    state,
    to: paths.appFaults(organization.slug, clientId),
  }))
  return {
    q: requestList.q,
    apps: { ...clientList, rows: apps },
    mayRegister: organization.role !== 'viewer',
    register: paths.newRegistration(organization.slug),
    requests: {
      ...requestList,
      rows: requestList.rows.map(({ id, name, kind, state, waitingOn, updatedAt }) => ({
        id,
        name,
        kind,
        state,
        waitingOn,
        updatedAt,
        to: paths.registration(organization.slug, id),
      })),
    },
  }
})

export default function Apps() {
  const { q, apps, requests, register, mayRegister } = useLoaderData<typeof loader>()
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
        Your SMART apps and their recent errors.
      </PageHead>
      {(q !== '' || apps.pages > 1 || requests.pages > 1) && (
        <ListSearch label="App name or client ID" q={q} />
      )}
      {q !== '' && apps.total + requests.total === 0 && <p className="muted">No app matches “{q}”.</p>}
      {q === '' && apps.total + requests.total === 0 && (
        <Empty icon={AppWindow} title="No app is registered">
          An app has a client id and asks people, or a practice, before it reads. Saving a draft gives a
          sandbox client id at once; production is reviewed within five business days. It costs nothing.
        </Empty>
      )}
      {requests.total > 0 && (
        <section className="card" aria-labelledby="requests">
          <div className="head">
            <h2 id="requests">Registrations</h2>
          </div>
          <Table label="Registrations" heads={['App', 'Request', 'State', 'Changed']}>
            {requests.rows.map(({ id, name, kind, state, waitingOn, updatedAt, to }) => (
              <Row key={id}>
                <Cell>
                  <Link className="label" to={to}>
                    {name || 'Draft without a name'}
                  </Link>
                </Cell>
                <Cell label="Request">{registrationKinds[kind]}</Cell>
                <Cell label="State">
                  <Tag
                    tone={state === 'enabled' ? 'ok' : waitingOn === 'developer' ? 'turn' : 'quiet'}
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
          <Pager label="registrations" listed={requests} />
        </section>
      )}
      {apps.total > 0 && (
        <section className="card" aria-labelledby="clients">
          <div className="head">
            <h2 id="clients">Clients and their errors</h2>
          </div>
          <Table label="Apps" heads={['App', 'For', 'Client', 'Environment', 'State']}>
            {apps.rows.map((app) => (
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
          <Pager label="clients" listed={apps} name="clients-page" />
        </section>
      )}
    </div>
  )
}
