import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { firstPage } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { SandboxKeyState } from '../../../server/contract/workflows/sandbox-key-workflow.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { CircleCheck, Terminal } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { sandboxBase } from '../../lib/api-base.server.ts'
import { ago, counted } from '../../lib/dates.ts'
import { page } from '../../services.server.ts'
import { CallTable } from '../../shared/activity/call-table.tsx'
import { reachOf } from '../../shared/keys/key-names.ts'
import { KeyPrefix } from '../../shared/keys/key-prefix.tsx'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { StateTag } from '../../shared/status/state-tag.tsx'
import { recentCalls } from '../keys/recent-calls.server.ts'
import { callsOf, Sparkline } from '../keys/sparkline.tsx'
import { AppPaths, ProductionPaths, TwoWays } from './path-cards.tsx'
import { listTodos } from './to-dos.server.ts'

export const meta: MetaFunction = () => [{ title: 'Home · Sandpiper' }]
export const handle = { here: 'Home' }

const shownKeys = 5
const shownCalls = 8
const onItsWay: readonly SandboxKeyState[] = ['requested', 'approved']

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, organization, actor } = await getOrganization(args)
  const { keys, clock, organizations, status } = args.context.services
  const mine = { organizationId: organization.id, accountId: session.accountId }
  const [recent, overview, requests, platform, todos] = await Promise.all([
    recentCalls(args, { keys: shownKeys, calls: shownCalls }),
    organizations.overview({ organizationId: organization.id }, actor),
    keys.listRequests({ ...mine, states: ['ready_to_claim', ...onItsWay], ask: firstPage }),
    status.platform(),
    listTodos(args),
  ])
  return {
    base: paths.organizationKeys(organization.slug),
    slug: organization.slug,
    name: organization.name,
    firstName: session.account.name.split(/\s/u)[0] ?? session.account.name,
    mayRequest: organization.role !== 'viewer',
    apiBase: sandboxBase(args.context),
    now: clock(),
    claimable: requests.rows.filter((request) => request.mayReveal),
    ...todos,
    onItsWay: requests.rows.some(({ state }) => onItsWay.includes(state)),
    live: recent.keys,
    calls: recent.calls,
    overview,
    platform: platform.services.map(({ id, name, status: state }) => ({ id, name, state })),
  }
})

type Data = ReturnType<typeof useLoaderData<typeof loader>>

export default function Dashboard() {
  const data = useLoaderData<typeof loader>()
  const { claimable, todos, live, calls, overview, slug } = data
  const isNew = !overview.hasApps && !overview.hasKeys
  return (
    <div className="page">
      <PageHeader title={`Good to see you, ${data.firstName}`}>
        Your to-dos and API activity in {data.name}.
      </PageHeader>
      <Next {...data} />
      <MoreTodos todos={claimable.length > 0 ? todos : todos.slice(1)} />
      <div className="grid main-aside">
        <div className="stack gap-5">
          {isNew && <TwoWays slug={slug} mayRequest={data.mayRequest} />}
          {!isNew && <AppPaths slug={slug} {...overview} />}
          {!isNew && <ProductionPaths slug={slug} {...overview} />}
        </div>
        <aside className="stack gap-5" aria-label="Keys and status">
          {!isNew && <LiveKeys {...data} />}
          <PlatformStatus platform={data.platform} />
        </aside>
      </div>
      {live.length > 0 && <LastCalls {...data} calls={calls} />}
    </div>
  )
}

/** The one thing to do now, or that there is none. */
function Next({ claimable, todos, todoCount, onItsWay, live, base, overview, calls }: Data) {
  const [first] = claimable
  if (first?.claimExpiresAt) {
    return (
      <Banner
        tone="turn"
        who="Your turn."
        title={`Claim the key “${first.name}”.`}
        action={
          <LinkButton look="primary" to={`/developers/keys/claim?request=${first.id}`}>
            Claim the key
          </LinkButton>
        }
      >
        By <Moment at={first.claimExpiresAt} />. After that, the link expires.
      </Banner>
    )
  }
  const [todo] = todos
  if (todo) {
    return (
      <Banner
        tone="turn"
        who="Your turn."
        title={todo.title}
        action={
          <LinkButton look="primary" to={todo.to}>
            {todo.action}
          </LinkButton>
        }
      >
        {todo.dueAt && (
          <>
            Due <Moment at={todo.dueAt} as="deadline" />.{' '}
          </>
        )}
        {todoCount > 1 && counted(todoCount - 1, 'more to-do', '.')}
      </Banner>
    )
  }
  if (onItsWay) {
    return (
      <Banner
        tone="wait"
        who="Our turn."
        title="Your key is being created."
        action={
          <LinkButton size="sm" to={base}>
            See keys
          </LinkButton>
        }
      >
        You get the claim link by email, usually within a minute.
      </Banner>
    )
  }
  if (!overview.hasApps && !overview.hasKeys) return null
  if (live.length > 0 && calls.length === 0) {
    return (
      <Banner tone="wait" icon={Terminal} title="You haven’t used your key yet.">
        Make the first call from your server, with the command below.
      </Banner>
    )
  }
  return (
    <Banner tone="ok" icon={CircleCheck} title="You’re all caught up.">
      Your apps, keys and calls are below.
    </Banner>
  )
}

/** To-dos besides the one in the banner. */
function MoreTodos({ todos }: Pick<Data, 'todos'>) {
  if (todos.length === 0) return null
  return (
    <Card
      id="todos"
      title="To-dos"
      aside={
        <Link className="small" to={paths.inbox}>
          Open inbox
        </Link>
      }
    >
      <ul className="pad list">
        {todos.map(({ title, action, to, dueAt }) => (
          <li key={to} className="row between">
            <div>
              <Link className="label" to={to}>
                {title}
              </Link>
              {dueAt && (
                <p className="small muted">
                  Due <Moment at={dueAt} as="deadline" />
                </p>
              )}
            </div>
            <LinkButton size="sm" to={to} aria-label={`${action}: ${title}`}>
              {action}
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function LiveKeys({ live, base, now, mayRequest }: Data) {
  return (
    <Card
      id="live"
      title="Keys"
      aside={
        <Link className="small" to={base}>
          All keys
        </Link>
      }
    >
      {live.length === 0 ? (
        <p className="pad">
          No active keys. {mayRequest && <Link to={`${base}/new`}>Request a sandbox key</Link>}
        </p>
      ) : (
        <ul className="pad list">
          {live.map((key) => (
            <li key={key.id} className="stack tight">
              <div className="row between flex-nowrap items-start">
                <Link className="label min-w-0 breaks" to={`${base}/${key.id}`}>
                  {key.name}
                </Link>
                <Sparkline days={key.days} />
              </div>
              <p className="small muted">
                <KeyPrefix prefix={key.prefix} /> · {reachOf(key)}
              </p>
              {key.suspensions.map(({ title, since, next }) => (
                <p className="small" key={title}>
                  <Tag tone="bad">Suspended</Tag> {title}, <Moment at={since} />. {next}
                </p>
              ))}
              <p className="small muted">
                {callsOf(key.days)}
                {key.lastUsedAt && ` · used ${ago(key.lastUsedAt, now)}`}
              </p>
            </li>
          ))}
        </ul>
      )}
      {live.length > 0 && <footer>Bars show calls per day. Marks below the line are refused calls.</footer>}
    </Card>
  )
}

function PlatformStatus({ platform }: Pick<Data, 'platform'>) {
  return (
    <Card
      id="platform"
      title="Platform status"
      aside={
        <a className="small" href={paths.status}>
          Status page
        </a>
      }
    >
      <ul className="pad list">
        {platform.map(({ id, name, state }) => (
          <li key={id} className="row between">
            <span>{name}</span>
            <StateTag state={state} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function LastCalls({ calls, apiBase, slug }: Data) {
  const command = `curl "${apiBase}/patients?limit=5" -H "Authorization: Bearer $SVC_KEY"`
  return (
    <Card
      id="calls"
      title="Recent calls"
      aside={
        <Link className="small" to={paths.organizationActivity(slug)}>
          All activity
        </Link>
      }
    >
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
        <CallTable label="Recent calls" calls={calls} named />
      )}
    </Card>
  )
}
