import { Link, useLoaderData } from '@remix-run/react'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { registrationKinds } from '../../../server/contract/workflows/registration-workflow.ts'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { AppWindow } from '../../components/ui/icons.ts'
import { Cell, DataTable, Pager, Row, SearchedList } from '../../components/ui/list.tsx'
import { Card, LinkButton, PageHeader } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { getOrganization, page } from '../../services.server.ts'
import { environmentNames } from '../../shared/keys/key-words.tsx'
import { describeApp } from './app-state.tsx'

export const meta = () => [{ title: 'Apps · Sandpiper' }]
export const handle = { here: 'Apps' }

export const loader = page(async (args) => {
  const { organization, member } = await getOrganization(args)
  const { slug } = organization
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  return {
    slug,
    listed: await args.context.services.registrations.listApps(member, ask),
    mayRegister: organization.role !== 'viewer',
  }
})

type App = ReturnType<typeof useLoaderData<typeof loader>>['listed']['rows'][number]

const kinds = { patient: 'Patient app', clinician: 'Clinician app', backend: 'Backend system' } as const

export default function Apps() {
  const { slug, listed, mayRegister } = useLoaderData<typeof loader>()
  const { rows } = listed
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
      <SearchedList
        listed={listed}
        search="App name or client ID"
        one="app"
        icon={AppWindow}
        title="No apps yet"
        empty="Enter a name and a redirect URI, and your sandbox client ID works immediately. We review the app for production within five business days, free of charge."
      >
        <Card label="Apps">
          <DataTable label="Apps" heads={['App', 'State', 'Client IDs', 'Today', 'Next']}>
            {rows.map((app) => (
              <AppRow key={app.id} app={app} slug={slug} />
            ))}
          </DataTable>
          <Pager label="apps" listed={listed} />
          <footer>Today’s calls are those since 00:00 UTC, refused ones included.</footer>
        </Card>
      </SearchedList>
    </div>
  )
}

function AppRow({ app, slug }: { app: App; slug: string }) {
  const { request, clients } = app
  const { name, page, tag, detail, next } = describeApp(app, slug)
  const [first] = clients
  return (
    <Row>
      <Cell>
        <Link className="label" to={page}>
          {name}
        </Link>
        <span className="sub">
          {request && request.kind !== 'app'
            ? registrationKinds[request.kind]
            : first && kinds[first.audience]}
        </span>
      </Cell>
      <Cell label="State">
        {tag}
        <span className="sub">{detail}</span>
      </Cell>
      <Cell>
        {clients.map(({ clientId, environment }) => (
          <span className="block" key={clientId}>
            <span className="small muted">{environmentNames[environment]}</span>
            <span className="row flex-nowrap">
              <Link to={paths.app(slug, clientId)} aria-label={`${name}: ${clientId}`}>
                <code className="breaks">{clientId}</code>
              </Link>
              <CopyButton text={clientId} label={`Copy the client ID ${clientId}`} />
            </span>
          </span>
        ))}
      </Cell>
      <Cell label="Today">
        {clients.some(({ today }) => today.calls > 0)
          ? clients.map((client) => (
              <CallsToday key={client.clientId} client={client} several={clients.length > 1} slug={slug} />
            ))
          : null}
      </Cell>
      <Cell className="act">
        {next && (
          <LinkButton size="sm" to={next.to}>
            {next.label}
            <span className="sr">: {name}</span>
          </LinkButton>
        )}
      </Cell>
    </Row>
  )
}

interface CallsTodayProps {
  client: App['clients'][number]
  /** The app has more than one client, so each line names its environment. */
  several: boolean
  slug: string
}

/** Today's calls and refusals, each with a link to the log of these calls. */
function CallsToday({ client: { clientId, environment, today }, several, slug }: CallsTodayProps) {
  if (today.calls === 0) return null
  const filter = { caller: `app:${clientId}`, within: 'today' }
  return (
    <span className="block">
      <Link to={paths.logs(slug, filter)}>{counted(today.calls, 'call')}</Link>
      {today.refused > 0 && (
        <Link className="sub one" to={paths.logs(slug, { ...filter, status: 'refused' })}>
          {today.refused.toLocaleString('en-US')} refused
        </Link>
      )}
      {several && <span className="sub">{environmentNames[environment]}</span>}
    </span>
  )
}
