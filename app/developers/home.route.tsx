import { Link, type MetaFunction, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import type { ReactNode } from 'react'
import { appProgress } from '../../server/contract/portal/app-path.ts'
import { wholeInbox } from '../../server/contract/portal/inbox-filter.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { productionKeyStates } from '../../server/contract/workflows/production-key-workflow.ts'
import { stateNames } from '../../server/contract/workflows/registration-workflow.ts'
import { LinkButton } from '../components/ui/button.tsx'
import { Card } from '../components/ui/card.tsx'
import { CodeBlock } from '../components/ui/code-block.tsx'
import { AppWindow, CircleDashed, Clock, KeyRound } from '../components/ui/icons.ts'
import { PageHeader } from '../components/ui/page-header.tsx'
import { Tag } from '../components/ui/tag.tsx'
import { sandboxBase } from '../lib/api-base.server.ts'
import { counted } from '../lib/dates.ts'
import { page } from '../services.server.ts'
import { type Call, CallTable } from '../shared/activity/call-table.tsx'
import { InboxEntries } from '../shared/inbox/inbox-list.tsx'
import { inboxPath } from '../shared/inbox/inbox-path.ts'
import { environmentNames } from '../shared/keys/key-names.ts'
import { getOrganization } from '../shared/organizations/organization.server.ts'
import { StateTag } from '../shared/status/state-tag.tsx'
import { KeyEnd } from './keys/key-rows.tsx'
import { nameCallers } from './logs/log.server.ts'

export const meta: MetaFunction = () => [{ title: 'Home · Sandpiper' }]
export const handle = { here: 'Home' }

const shown = { todos: 5, keys: 4, calls: 3 } as const

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, organization, actor } = await getOrganization(args)
  const { keys, clock, organizations, status, inbox } = args.context.services
  const mine = { organizationId: organization.id, accountId: session.accountId }
  const [live, { rows: calls }, callers, overview, platform, todos] = await Promise.all([
    keys.listRecent({ ...mine, take: shown.keys }),
    keys.activity({ ...mine, limit: shown.calls }),
    keys.listCallers(mine),
    organizations.overview({ organizationId: organization.id }, actor),
    status.platform(),
    inbox.list({ organizationId: organization.id, ask: wholeInbox }, session),
  ])
  const nameOf = nameCallers(callers)
  return {
    slug: organization.slug,
    name: organization.name,
    firstName: session.account.name.split(/\s/u)[0] ?? session.account.name,
    mayRequest: organization.role !== 'viewer',
    apiBase: sandboxBase(args.context),
    now: clock(),
    todos: todos.rows
      .slice(0, shown.todos)
      .map((entry) => ({ ...entry, to: inboxPath(entry), claimedBy: null })),
    todoCount: todos.total,
    live,
    calls: calls.map((call) => ({ ...call, caller: nameOf(call) })),
    overview,
    platform: platform.services.filter(({ status: state }) => state !== 'operational'),
  }
})

type Data = ReturnType<typeof useLoaderData<typeof loader>>

export default function Home() {
  const data = useLoaderData<typeof loader>()
  const { todos, todoCount, overview, now } = data
  const isNew = !overview.hasApps && !overview.hasKeys && overview.requests.length === 0
  return (
    <div className="page">
      <PageHeader title={`Good to see you, ${data.firstName}`}>
        {todoCount === 0 ? 'You’re all caught up' : counted(todoCount, 'to-do')} in {data.name}.
      </PageHeader>
      {todos.length > 0 && (
        <Card label="To-dos">
          <InboxEntries rows={todos} now={now} />
          <footer>
            <div className="row between">
              <Link to={paths.inbox}>View all {counted(todoCount, 'to-do')}</Link>
              <Link to={paths.inboxSettings}>Email settings</Link>
            </div>
          </footer>
        </Card>
      )}
      {isNew ? (
        <TwoWays {...data} />
      ) : (
        <div className="grid g2">
          <Apps {...data} />
          <Keys {...data} />
        </div>
      )}
      <Calls {...data} />
      <p className="row small">
        {data.platform.length === 0 ? (
          <StateTag state="operational" />
        ) : (
          data.platform.map(({ id, name, status }) => (
            <span key={id}>
              {name}: <StateTag state={status} />
            </span>
          ))
        )}
        <a href={paths.status}>Status</a>
      </p>
    </div>
  )
}

/** The two ways to begin, side by side. */
function TwoWays({ slug, mayRequest }: Data) {
  return (
    <section className="grid g2" aria-label="Two ways to start">
      <Card padded title="Call the REST API with a key">
        <p>
          For a server that reads and writes one practice’s records. Describe your project, claim the key and
          call the API. It takes two minutes.
        </p>
        {mayRequest && (
          <div>
            <LinkButton to={`${paths.organizationKeys(slug)}/new`}>
              <KeyRound className="i" />
              Request a sandbox key
            </LinkButton>
          </div>
        )}
      </Card>
      <Card padded title="Build a SMART on FHIR app">
        <p>
          For an app that patients or clinicians sign in to, or for a backend system. Enter a name and a
          redirect URI, and its sandbox client ID works immediately.
        </p>
        {mayRequest && (
          <div>
            <LinkButton to={paths.newRegistration(slug)}>
              <AppWindow className="i" />
              Create an app
            </LinkButton>
          </div>
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

interface LineProps {
  to: string
  name: string
  state: ReactNode
  sub: ReactNode
  /** What the developers do next. */
  next?: string | null
}

function Line({ to, name, state, sub, next }: LineProps) {
  return (
    <li className="row between">
      <div className="min-w-0">
        <Link className="label breaks" to={to}>
          {name}
        </Link>
        <p className="small muted">{sub}</p>
      </div>
      <div>{state}</div>
      {next ? (
        <LinkButton size="sm" to={to}>
          {next}
          <span className="sr">: {name}</span>
        </LinkButton>
      ) : (
        <span className="small muted">Nothing to do</span>
      )}
    </li>
  )
}

const nextOfApp = {
  sandbox: 'Test it',
  registration: 'Submit it',
  review: 'Answer',
  enabled: 'View',
} as const

function Apps({ slug, overview: { apps, hasApps } }: Data) {
  return (
    <Card id="apps" title="Apps" aside={<Link to={paths.organizationApps(slug)}>All apps</Link>}>
      {apps.length === 0 && (
        <p className="pad">
          {hasApps ? 'No app is being reviewed for production.' : 'No apps yet.'}{' '}
          <Link to={paths.newRegistration(slug)}>Create an app</Link> to use SMART on FHIR.
        </p>
      )}
      <ul className="pad list">
        {apps.map((app) => {
          const steps = appProgress(app.state, app.tested)
          const place = steps.findIndex(({ progress }) => progress === 'here')
          const step = steps[place]
          const isDraft = app.state === 'draft'
          return (
            <Line
              key={app.id}
              to={paths.registration(slug, app.id)}
              name={app.name || 'Untitled draft'}
              state={
                <TurnTag isTurn={!isDraft && app.waitingOn === 'developer'} words={stateNames[app.state]} />
              }
              sub={
                step ? `Step ${place + 1} of ${steps.length}, ${step.title.toLowerCase()}` : 'In production'
              }
              next={step && app.waitingOn === 'developer' ? nextOfApp[step.step] : null}
            />
          )
        })}
      </ul>
    </Card>
  )
}

function Keys({ slug, live, overview: { requests }, mayRequest, now }: Data) {
  const base = paths.organizationKeys(slug)
  return (
    <Card id="keys" title="Keys" aside={<Link to={base}>All keys</Link>}>
      {live.length + requests.length === 0 && (
        <p className="pad">
          No active keys. {mayRequest && <Link to={`${base}/new`}>Request a sandbox key</Link>}
        </p>
      )}
      <ul className="pad list">
        {requests.map(({ id, name, state, steps, waitingOn, practiceName }) => {
          const place = steps.findIndex((step) => step.state === 'here')
          return (
            <Line
              key={id}
              to={paths.productionKey(slug, id)}
              name={name || 'Untitled request'}
              state={<TurnTag isTurn={waitingOn === 'developer'} words={productionKeyStates[state].name} />}
              sub={`${practiceName}${place < 0 ? '' : `, step ${place + 1} of ${steps.length}`}`}
              next={waitingOn === 'developer' ? 'Continue' : null}
            />
          )
        })}
        {live.map((key) => (
          <Line
            key={key.id}
            to={`${base}/${key.id}`}
            name={key.name}
            state={<KeyEnd record={key} now={now} />}
            sub={`${environmentNames[key.environment]}, ${callsToday(key.days.at(-1))}`}
            next={key.mayExtend ? 'Extend' : key.suspensions.length > 0 ? 'View' : null}
          />
        ))}
      </ul>
    </Card>
  )
}

function callsToday(day: { served: number; refused: number } | undefined): string {
  const { served, refused } = day ?? { served: 0, refused: 0 }
  return `${counted(served + refused, 'call')} today${refused > 0 ? `, ${refused.toLocaleString('en-US')} refused` : ''}`
}

function TurnTag({ isTurn, words }: { isTurn: boolean; words: string }) {
  if (isTurn) return <Tag tone="turn">{words}</Tag>
  if (words === stateNames.enabled) return <Tag tone="ok">{words}</Tag>
  return <Tag icon={words === stateNames.draft ? CircleDashed : Clock}>{words}</Tag>
}

function Calls({ calls, live, apiBase, slug }: Data) {
  const command = `curl "${apiBase}/patients?limit=5" -H "Authorization: Bearer $SVC_KEY"`
  const toCall = ({ correlationId }: Call) => paths.logs(slug, { call: correlationId })
  if (calls.length === 0 && live.length === 0) return null
  return (
    <Card id="calls" title="Calls" aside={<Link to={paths.logs(slug)}>Open logs</Link>}>
      {calls.length === 0 ? (
        <div className="pad stack">
          <p className="muted">
            None yet. Make one from your server, with the key in an environment variable:
          </p>
          <CodeBlock label="First call" bar="Terminal" copy={command} wrapped>
            {command}
          </CodeBlock>
        </div>
      ) : (
        <CallTable label="Recent calls" calls={calls} to={toCall} />
      )}
    </Card>
  )
}
