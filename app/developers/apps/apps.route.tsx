import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { registrationKinds, stateNames } from '../../../server/contract/workflows/registration-workflow.ts'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { AppWindow, Ban, CircleCheck, CircleDashed, Clock } from '../../components/ui/icons.ts'
import { ListSearch, Pager } from '../../components/ui/list-tools.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { page } from '../../services.server.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { audienceNames, authenticationNames } from './client-words.ts'

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
    samples: paths.sampleApps(organization.slug),
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

/** A draft can stay one for as long as the app is tried in the sandbox. */
const isAsked = (state: string, waitingOn: string) => waitingOn === 'developer' && state !== 'draft'

export default function Apps() {
  const { q, apps, requests, register, samples, mayRegister } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHeader
        title="Apps"
        action={
          <div className="row">
            <LinkButton to={samples}>Use the sample apps</LinkButton>
            {mayRegister && (
              <LinkButton look="primary" to={register}>
                New app
              </LinkButton>
            )}
          </div>
        }
      >
        Your SMART apps and their recent errors.
      </PageHeader>
      {(q !== '' || apps.pages > 1 || requests.pages > 1) && (
        <ListSearch label="App name or client ID" q={q} />
      )}
      {q !== '' && apps.total + requests.total === 0 && <p className="muted">No app matches “{q}”.</p>}
      {q === '' && apps.total + requests.total === 0 && (
        <EmptyState icon={AppWindow} title="No apps yet">
          Enter a name and a redirect URI, and your sandbox client ID works immediately. We review the app for
          production within five business days, free of charge.
        </EmptyState>
      )}
      {requests.total > 0 && (
        <Card id="requests" title="Registrations">
          <DataTable label="Registrations" heads={['App', 'Request', 'State', 'Changed']}>
            {requests.rows.map(({ id, name, kind, state, waitingOn, updatedAt, to }) => (
              <Row key={id}>
                <Cell>
                  <Link className="label" to={to}>
                    {name || 'Untitled draft'}
                  </Link>
                </Cell>
                <Cell label="Request">{registrationKinds[kind]}</Cell>
                <Cell label="State">
                  <Tag
                    tone={state === 'enabled' ? 'ok' : isAsked(state, waitingOn) ? 'turn' : 'quiet'}
                    icon={state === 'enabled' ? CircleCheck : state === 'draft' ? CircleDashed : Clock}
                  >
                    {stateNames[state]}
                  </Tag>
                </Cell>
                <Cell label="Changed">
                  <Moment at={updatedAt} as="date" />
                </Cell>
              </Row>
            ))}
          </DataTable>
          <Pager label="registrations" listed={requests} />
        </Card>
      )}
      {apps.total > 0 && (
        <Card id="clients" title="Clients and their errors">
          <DataTable label="Apps" heads={['App', 'Users', 'Client', 'Environment', 'State']}>
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
                <Cell label="Users">{audienceNames[app.audience]}</Cell>
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
          </DataTable>
          <Pager label="clients" listed={apps} name="clients-page" />
        </Card>
      )}
    </div>
  )
}
