import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { registrationKinds, stateNames } from '../../../server/contract/workflows/registration-workflow.ts'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { AppWindow, Ban, CircleCheck, CircleDashed, Clock } from '../../components/ui/icons.ts'
import { ListSearch, Pager } from '../../components/ui/list-tools.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { page } from '../../services.server.ts'
import { environmentNames } from '../../shared/keys/key-names.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'

export const meta: MetaFunction = () => [{ title: 'Apps · Sandpiper' }]
export const handle = { here: 'Apps' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization, actor } = await getOrganization(args)
  const { slug } = organization
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  return {
    slug,
    listed: await args.context.services.registrations.listApps(organization.id, ask, actor),
    mayRegister: organization.role !== 'viewer',
  }
})

type App = ReturnType<typeof useLoaderData<typeof loader>>['listed']['rows'][number]

const kinds = { patient: 'Patient app', clinician: 'Clinician app', backend: 'Backend system' } as const

export default function Apps() {
  const { slug, listed, mayRegister } = useLoaderData<typeof loader>()
  const { q, rows } = listed
  return (
    <div className="page">
      <PageHeader
        title="Apps"
        action={
          <div className="row">
            <LinkButton to={paths.sampleApps(slug)}>Use the sample apps</LinkButton>
            {mayRegister && (
              <LinkButton look="primary" to={paths.newRegistration(slug)}>
                New app
              </LinkButton>
            )}
          </div>
        }
      >
        Your SMART apps, where each stands, and what is next.
      </PageHeader>
      {(q !== '' || listed.pages > 1) && <ListSearch label="App name or client ID" q={q} />}
      {rows.length === 0 && q !== '' ? (
        <p className="muted">No app matches “{q}”.</p>
      ) : rows.length === 0 ? (
        <EmptyState icon={AppWindow} title="No apps yet">
          Enter a name and a redirect URI, and your sandbox client ID works immediately. We review the app for
          production within five business days, free of charge.
        </EmptyState>
      ) : (
        <Card label="Apps">
          <DataTable label="Apps" heads={['App', 'State', 'Client IDs', 'Next']}>
            {rows.map((app) => (
              <AppRow key={app.id} app={app} slug={slug} />
            ))}
          </DataTable>
          <Pager label="apps" listed={listed} />
        </Card>
      )}
    </div>
  )
}

function AppRow({ app: { name, request, clients }, slug }: { app: App; slug: string }) {
  const [first] = clients
  const shown = name || 'Untitled draft'
  const toRequest = request && paths.registration(slug, request.id)
  const toApp = first ? paths.appFaults(slug, first.clientId) : (toRequest ?? '')
  const isTurn = request?.waitingOn === 'developer'
  return (
    <Row>
      <Cell>
        <Link className="label" to={toApp}>
          {shown}
        </Link>
        <span className="sub">
          {request && request.kind !== 'app'
            ? registrationKinds[request.kind]
            : first && kinds[first.audience]}
        </span>
      </Cell>
      <Cell label="State">
        <AppState request={request} isSuspended={clients.some(({ isSuspended }) => isSuspended)} />
      </Cell>
      <Cell label="Client IDs">
        {clients.length === 0
          ? '–'
          : clients.map(({ clientId, environment }) => (
              <span className="block" key={clientId}>
                <span className="small muted">{environmentNames[environment]}</span>
                <span className="row flex-nowrap">
                  <Link to={paths.appFaults(slug, clientId)} aria-label={`${shown}: ${clientId}`}>
                    <code className="breaks">{clientId}</code>
                  </Link>
                  <CopyButton text={clientId} label={`Copy the client ID ${clientId}`} />
                </span>
              </span>
            ))}
      </Cell>
      <Cell className="act">
        {isTurn && toRequest ? (
          <LinkButton size="sm" to={toRequest}>
            {request.state === 'draft' ? 'Continue' : 'Answer'}
            <span className="sr">: {shown}</span>
          </LinkButton>
        ) : (
          <span className="small muted">Nothing to do</span>
        )}
      </Cell>
    </Row>
  )
}

function AppState({ request, isSuspended }: Pick<App, 'request'> & { isSuspended: boolean }) {
  if (isSuspended) return <Tag icon={Ban}>Stopped</Tag>
  if (!request)
    return (
      <Tag tone="ok" icon={CircleCheck}>
        Active
      </Tag>
    )
  const { state, waitingOn, updatedAt } = request
  // A draft can stay one for as long as the app is tried in the sandbox.
  const isTurn = waitingOn === 'developer' && state !== 'draft'
  return (
    <>
      <Tag
        tone={state === 'enabled' ? 'ok' : isTurn ? 'turn' : 'quiet'}
        icon={state === 'enabled' ? CircleCheck : state === 'draft' ? CircleDashed : Clock}
      >
        {stateNames[state]}
      </Tag>
      <span className="sub">
        Changed <Moment at={updatedAt} as="date" />
      </span>
    </>
  )
}
