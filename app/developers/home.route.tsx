import { Link, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { firstPage } from '../../server/contract/portal/paging.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import type { ComponentState } from '../../server/contract/status/components.ts'
import { CodeBlock } from '../components/ui/code-block.tsx'
import { AppWindow, KeyRound } from '../components/ui/icons.ts'
import { Card, LinkButton, PageHeader } from '../components/ui/page-parts.tsx'
import { sandboxBase } from '../lib/api-base.server.ts'
import { ago, counted } from '../lib/dates.ts'
import { getOrganization, page } from '../services.server.ts'
import { CallStatus, pathOf } from '../shared/activity/call-table.tsx'
import { InboxEntries } from '../shared/inbox/inbox-list.tsx'
import { inboxPath } from '../shared/inbox/inbox-path.ts'
import { environmentNames } from '../shared/keys/key-words.tsx'
import { StateTag } from '../shared/status/state-tag.tsx'
import { describeApp } from './apps/app-state.tsx'
import { describeKey } from './keys/key-rows.tsx'
import { nameCallers } from './logs/log.server.ts'

export const meta = () => [{ title: 'Home · Sandpiper' }]
export const handle = { here: 'Home' }

const shownMax = { todos: 5, rows: 3, calls: 3 } as const

const untroubled: readonly ComponentState[] = ['operational', 'disabled', 'not_available']

export const loader = page(async (args) => {
  const { session, organization, member } = await getOrganization(args)
  const { keys, clock, registrations, status, inbox } = args.context.services
  const [apps, listed, { rows: calls }, callers, { platform }, todos] = await Promise.all([
    registrations.listApps(member, { ...firstPage, rows: shownMax.rows }),
    keys.listPage({ ...member, show: 'current', ask: { ...firstPage, rows: shownMax.rows } }),
    keys.activity({ ...member, limit: shownMax.calls }),
    keys.listCallers(member),
    status.page(),
    inbox.list({ organizationId: organization.id, ask: firstPage }, session),
  ])
  const nameOf = nameCallers(callers)
  // The page fits two screens of a phone: with more to-dos, it shows fewer apps and keys.
  const rows = todos.total > shownMax.rows ? shownMax.rows - 1 : shownMax.rows
  return {
    slug: organization.slug,
    name: organization.name,
    firstName: session.account.name.split(/\s/u)[0] ?? session.account.name,
    mayRequest: organization.role !== 'viewer',
    apiBase: sandboxBase(args.context),
    now: clock(),
    todos: todos.rows
      .slice(0, shownMax.todos)
      .map((entry) => ({ ...entry, to: inboxPath(entry), claimedBy: null })),
    todoCount: todos.total,
    apps: apps.rows.slice(0, rows),
    keys: listed.rows.slice(0, rows),
    isNew: apps.total + listed.counts.current + listed.counts.ended === 0,
    calls: calls.map((call) => ({ ...call, caller: nameOf(call) })),
    troubles: platform.services.filter(({ status: state }) => !untroubled.includes(state)),
  }
})

type Data = ReturnType<typeof useLoaderData<typeof loader>>

export default function Home() {
  const data = useLoaderData<typeof loader>()
  const { todos, todoCount, now, troubles } = data
  return (
    <div className="page">
      <PageHeader title={`Good to see you, ${data.firstName}`}>
        {todoCount === 0 ? 'You’re all caught up' : counted(todoCount, 'to-do')} in {data.name}.
      </PageHeader>
      {todos.length > 0 && (
        <Card label="To-dos">
          <InboxEntries rows={todos} now={now} />
          {todoCount > todos.length && (
            <footer>
              <Link to={paths.inbox}>View all {counted(todoCount, 'to-do')}</Link>
            </footer>
          )}
        </Card>
      )}
      {data.isNew ? (
        <TwoWays {...data} />
      ) : (
        <div className="grid g2 even">
          <Apps {...data} />
          <Keys {...data} />
        </div>
      )}
      {troubles.length > 0 && (
        <p className="row small">
          {troubles.map(({ id, name, status }) => (
            <span key={id}>
              {name}: <StateTag state={status} />
            </span>
          ))}
          <a href={paths.status}>View status</a>
        </p>
      )}
      <Calls {...data} />
    </div>
  )
}

function TwoWays({ slug, mayRequest }: Data) {
  return (
    <section className="grid g2" aria-label="Two ways to start">
      <Card padded title="Call the REST API with a key">
        <p>
          For a server that reads and writes one practice’s records. Describe your project, claim the key and
          call the API. It takes two minutes.
        </p>
        {mayRequest && (
          <LinkButton to={`${paths.organizationKeys(slug)}/new`}>
            <KeyRound className="i" />
            Request a sandbox key
          </LinkButton>
        )}
      </Card>
      <Card padded title="Build a SMART on FHIR app">
        <p>
          For an app that patients or clinicians sign in to, or for a backend system. Enter a name and a
          redirect URI, and its sandbox client ID works immediately.
        </p>
        {mayRequest && (
          <LinkButton to={paths.newRegistration(slug)}>
            <AppWindow className="i" />
            Create an app
          </LinkButton>
        )}
      </Card>
      {!mayRequest && (
        <p className="muted">
          Only developers and admins of this organization can do this. Your role is read-only.
        </p>
      )}
    </section>
  )
}

type LineProps = { to: string | null; name: string } & Record<'tag' | 'sub' | 'next', ReactNode>

function Line({ to, name, tag, sub, next }: LineProps) {
  return (
    <li>
      {to ? (
        <Link className="label breaks" to={to}>
          {name}
        </Link>
      ) : (
        <span className="label breaks">{name}</span>
      )}
      <span>{tag}</span>
      <span className="small muted">{sub}</span>
      <span>{next || <span className="small muted wide-only">Nothing to do</span>}</span>
    </li>
  )
}

function Apps({ slug, apps }: Data) {
  return (
    <Card id="apps" title="Apps" aside={<Link to={paths.organizationApps(slug)}>All apps</Link>}>
      {apps.length === 0 && (
        <p className="pad">
          No apps yet. <Link to={paths.newRegistration(slug)}>Create an app</Link> to use SMART on FHIR.
        </p>
      )}
      <ul className="lines">
        {apps.map((app) => {
          const { name, page: to, tag, detail, next } = describeApp(app, slug)
          return (
            <Line
              key={app.id}
              {...{ to, name, tag }}
              sub={detail}
              next={
                next && (
                  <LinkButton size="sm" to={next.to}>
                    {next.label}
                    <span className="sr">: {name}</span>
                  </LinkButton>
                )
              }
            />
          )
        })}
      </ul>
    </Card>
  )
}

function Keys({ slug, keys, mayRequest, now }: Data) {
  const base = paths.organizationKeys(slug)
  return (
    <Card id="keys" title="Keys" aside={<Link to={base}>All keys</Link>}>
      {keys.length === 0 && (
        <p className="pad">
          No active keys. {mayRequest && <Link to={`${base}/new`}>Request a sandbox key</Link>}
        </p>
      )}
      <ul className="lines">
        {keys.map((record) => {
          const { environment, practice, ...line } = describeKey({ record, now, slug })
          return (
            <Line
              key={record.id}
              {...line}
              // A sandbox practice's name already says that it is a sandbox.
              sub={
                environment === 'sandbox' && practice
                  ? practice
                  : [environmentNames[environment], practice].filter(Boolean).join(', ')
              }
            />
          )
        })}
      </ul>
    </Card>
  )
}

function Calls({ calls, keys, apiBase, slug, now }: Data) {
  const command = `curl "${apiBase}/patients?limit=5" -H "Authorization: Bearer $SVC_KEY"`
  if (calls.length === 0 && keys.length === 0) return null
  return (
    <Card id="calls" title="Calls" aside={<Link to={paths.logs(slug)}>Open logs</Link>}>
      {calls.length === 0 && (
        <div className="pad stack">
          <p className="muted">
            None yet. Make one from your server, with the key in an environment variable:
          </p>
          <CodeBlock label="First call" bar="Terminal" copy={command} wrapped>
            {command}
          </CodeBlock>
        </div>
      )}
      <ul className="lines calls" aria-label="Latest calls">
        {calls.map((call) => (
          <li key={call.correlationId}>
            <CallStatus status={call.status} />
            <Link to={paths.logs(slug, { call: call.correlationId })}>
              <code>{pathOf(call)}</code>
            </Link>
            <span className="small muted wide-only">{call.caller}</span>
            <span className="small muted">{ago(call.at, now)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
