import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { CircleCheck, KeyRound, Terminal } from 'lucide-react'
import { firstPage } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { SandboxKeyState } from '../../../server/contract/workflows/sandbox-key-workflow.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { sandboxBase } from '../../lib/api-base.server.ts'
import { counted, daysLeft } from '../../lib/dates.ts'
import { page } from '../../services.server.ts'
import { CallTable } from '../../shared/activity/call-table.tsx'
import { reachOf } from '../../shared/keys/key-names.ts'
import { KeyPrefix } from '../../shared/keys/key-prefix.tsx'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { soonDays } from '../keys/key-row.tsx'
import { callsOf, Sparkline } from '../keys/sparkline.tsx'
import { listTodos } from './to-dos.server.ts'

export const meta: MetaFunction = () => [{ title: 'Dashboard · Sandpiper' }]
export const handle = { here: 'Dashboard' }

const shownKeys = 5
const shownEnding = 10
const shownCalls = 8

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, organization } = await getOrganization(args)
  const { keys, clock } = args.context.services
  const mine = { organizationId: organization.id, accountId: session.accountId }
  const requestsIn = (...states: SandboxKeyState[]) => keys.listRequests({ ...mine, states, ask: firstPage })
  const [all, claimable, onItsWay] = await Promise.all([
    keys.list(mine),
    requestsIn('ready_to_claim'),
    requestsIn('requested', 'approved'),
  ])
  const base = paths.organizationKeys(organization.slug)
  const live = all.filter((key) => key.state === 'active')
  const used = live
    .filter((key) => key.lastUsedAt !== null)
    .sort((a, b) => Number(b.lastUsedAt) - Number(a.lastUsedAt))
    .slice(0, shownKeys)
  const calls = await Promise.all(
    used.map(async (key) => {
      const { rows } = await keys.activity({ keyId: key.id, accountId: session.accountId, limit: shownCalls })
      return rows.map((row) => ({ ...row, key: { name: key.name, to: `${base}/${key.id}` } }))
    }),
  )
  const now = clock()
  return {
    base,
    name: organization.name,
    firstName: session.account.name.split(/\s/u)[0] ?? session.account.name,
    mayRequest: organization.role !== 'viewer',
    apiBase: sandboxBase(args.context),
    now,
    claimable: claimable.rows.filter((request) => request.mayReveal),
    ...(await listTodos(args)),
    onItsWay: onItsWay.total > 0,
    live: live.slice(0, shownKeys),
    endsSoon: live
      .filter((key) => daysLeft(key.expiresAt, now) <= soonDays)
      .sort((a, b) => Number(a.expiresAt) - Number(b.expiresAt))
      .slice(0, shownEnding)
      .map(({ id, name, expiresAt }) => ({ id, name, expiresAt })),
    calls: calls
      .flat()
      .sort((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, shownCalls),
  }
})

type Data = ReturnType<typeof useLoaderData<typeof loader>>

export default function Dashboard() {
  const data = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHeader title={`Good to see you, ${data.firstName}`}>
        Your to-dos and API activity in {data.name}.
      </PageHeader>
      <Next {...data} />
      <MoreTodos todos={data.claimable.length > 0 ? data.todos : data.todos.slice(1)} />
      {data.live.length > 0 && (
        <div className="grid g2">
          <LiveKeys {...data} />
          <EndsSoon {...data} />
        </div>
      )}
      {data.live.length > 0 && <LastCalls {...data} />}
    </div>
  )
}

/** The one thing to do now, or that there is none. */
function Next({ claimable, todos, todoCount, onItsWay, live, base, mayRequest, calls }: Data) {
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
        By <Moment at={first.claimExpiresAt} />. After that its link stops.
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
            Open it
          </LinkButton>
        }
      >
        {todoCount > 1 && counted(todoCount - 1, 'more to-do', '.')}
      </Banner>
    )
  }
  if (onItsWay) {
    return (
      <Banner
        tone="wait"
        who="Our turn."
        title="We are making your key."
        action={
          <LinkButton size="sm" to={base}>
            See keys
          </LinkButton>
        }
      >
        The claim link comes by mail, usually within a minute.
      </Banner>
    )
  }
  if (live.length === 0) {
    return (
      <EmptyState
        icon={KeyRound}
        title="Start with a key"
        action={
          mayRequest && (
            <LinkButton look="primary" to={`${base}/new`}>
              Request a sandbox key
            </LinkButton>
          )
        }
      >
        {mayRequest
          ? 'A key lets your server read synthetic patients. You say what you are building, we mail a claim link, and you call. It takes two minutes.'
          : 'This organization has no key. A developer or admin can request one; your role reads only.'}
      </EmptyState>
    )
  }
  if (calls.length === 0) {
    return (
      <Banner tone="wait" icon={Terminal} title="Your key has not been used yet.">
        Make the first call from your server. The command is below.
      </Banner>
    )
  }
  return (
    <Banner tone="ok" icon={CircleCheck} title="You’re all caught up.">
      Keys and calls are below.
    </Banner>
  )
}

/** To-dos besides the one in the banner. */
function MoreTodos({ todos }: Pick<Data, 'todos'>) {
  if (todos.length === 0) return null
  return (
    <Card id="todos" title="To-dos">
      <ul className="pad list">
        {todos.map(({ title, to }) => (
          <li key={to}>
            <Link to={to}>{title}</Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function LiveKeys({ live, base }: Data) {
  return (
    <Card
      id="live"
      title="Live keys"
      aside={
        <Link className="small" to={base}>
          All keys
        </Link>
      }
    >
      <ul className="pad list">
        {live.map((key) => (
          <li key={key.id} className="row between">
            <div>
              <Link className="label" to={`${base}/${key.id}`}>
                {key.name}
              </Link>
              <p className="small muted">
                <KeyPrefix prefix={key.prefix} /> · {reachOf(key)}
              </p>
            </div>
            <div>
              <Sparkline days={key.days} />
              <p className="small muted">{callsOf(key.days)}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function EndsSoon({ endsSoon }: Data) {
  return (
    <Card id="ends" title="Ends soon">
      <div className="pad stack">
        {endsSoon.length === 0 ? (
          <p className="muted">No key ends within {soonDays} days.</p>
        ) : (
          endsSoon.map((key) => (
            <p key={key.id}>
              <b>{key.name}</b> stops on <Moment at={key.expiresAt} />. Calls then get 401. Request a new key
              before and change over.
            </p>
          ))
        )}
      </div>
    </Card>
  )
}

function LastCalls({ calls, apiBase, base }: Data) {
  const command = `curl "${apiBase}/patients?limit=5" -H "Authorization: Bearer $SANDPIPER_API_KEY"`
  return (
    <Card
      id="calls"
      title="Last calls"
      aside={
        <Link className="small" to={base}>
          Activity is with each key
        </Link>
      }
    >
      {calls.length === 0 ? (
        <div className="pad stack">
          <p className="muted">None yet. From your server, with the key in its environment:</p>
          <CodeBlock label="A first call" bar="Terminal" copy={command} wrapped>
            {command}
          </CodeBlock>
        </div>
      ) : (
        <CallTable label="Last calls" calls={calls} named />
      )}
    </Card>
  )
}
