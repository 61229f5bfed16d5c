import type { MetaFunction } from '@remix-run/react'
import { Form, useLoaderData } from '@remix-run/react'
import { data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Activity } from 'lucide-react'
import { activityFilter } from '../../server/contract/forms-keys.ts'
import { paths } from '../../server/contract/paths.ts'
import { sandboxBase } from '../api-base.server.ts'
import { CallTable } from '../components/records/call-table.tsx'
import { reachOf } from '../components/records/key-names.ts'
import { KeyPrefix } from '../components/records/key-prefix.tsx'
import { KeyEnd } from '../components/records/key-row.tsx'
import { callsOf, Sparkline } from '../components/records/sparkline.tsx'
import { Button, LinkButton } from '../components/ui/button.tsx'
import { CodeBlock } from '../components/ui/code-block.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { getOrganization } from '../organization.server.ts'
import { page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Activity of a key · Sandpiper' }]
export const handle = { here: 'Keys / Activity' }

const pageRows = 50

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, organization } = await getOrganization(args)
  const { services } = args.context
  const mine = { organizationId: organization.id, accountId: session.accountId }
  const key = (await services.keys.list(mine)).find((each) => each.id === args.params.key)
  if (!key) throw data(null, { status: 404 })
  const query = new URL(args.request.url).searchParams
  const filter = activityFilter.parse(Object.fromEntries([...query].filter(([, value]) => value !== '')))
  const given = Object.values(filter).some((value) => value !== undefined)
  const { rows, next } = await services.keys.activity({
    keyId: key.id,
    accountId: session.accountId,
    before: query.get('before') ?? undefined,
    limit: pageRows,
    ...filter,
  })
  const older = new URLSearchParams(query)
  if (next) older.set('before', next)
  return {
    base: paths.organizationKeys(organization.slug),
    apiBase: sandboxBase(args.context),
    now: services.clock(),
    key,
    filter,
    given,
    rows,
    older: next ? `?${older}` : null,
    newest: query.has('before'),
  }
})

export default function KeyActivity() {
  const { key, base, now, rows, given, newest, older, filter, apiBase } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHead
        title={key.name}
        action={
          key.mayRevoke && (
            <LinkButton look="danger" to={`${base}/${key.id}/revoke`}>
              Revoke
            </LinkButton>
          )
        }
      >
        Every request made with this key, refused ones with the reason. Query strings and bodies are not kept.
      </PageHead>
      <section className="card pad key-facts" aria-label="The key">
        <div>
          <p className="small muted">Key</p>
          <KeyPrefix prefix={key.prefix} />
        </div>
        <div>
          <p className="small muted">Reaches</p>
          <p>{key.practice.name}</p>
          <p className="small muted">{reachOf(key)}</p>
        </div>
        <div>
          <p className="small muted">Ends</p>
          <KeyEnd record={key} now={now} />
        </div>
        <div>
          <p className="small muted">Last 30 days</p>
          <Sparkline days={key.days} />
          <p className="small muted">{callsOf(key.days)}</p>
        </div>
      </section>
      {(rows.length > 0 || given || newest) && <Filter filter={filter} given={given} />}
      {rows.length > 0 ? (
        <section className="card">
          <CallTable label={`Calls with ${key.name}`} calls={rows} />
          {(older || newest) && (
            <footer className="row between">
              {newest ? (
                <LinkButton size="sm" to="?">
                  Back to the newest
                </LinkButton>
              ) : (
                <span />
              )}
              {older && (
                <LinkButton size="sm" to={older}>
                  Older calls
                </LinkButton>
              )}
            </footer>
          )}
        </section>
      ) : given || newest ? (
        <section className="card pad">
          <p className="muted">No call fits. Take a filter away.</p>
        </section>
      ) : (
        <NoCalls apiBase={apiBase} />
      )}
    </div>
  )
}

function Filter({
  filter,
  given,
}: {
  filter: { status?: number; route?: string; correlationId?: string }
  given: boolean
}) {
  return (
    <Form method="get" className="card pad filter" role="search" aria-label="Filter the calls">
      <label className="field">
        <span className="label">Answer</span>
        <input
          className="input"
          name="status"
          inputMode="numeric"
          defaultValue={filter.status ?? ''}
          placeholder="403"
        />
      </label>
      <label className="field">
        <span className="label">Route</span>
        <input
          className="input mono"
          name="route"
          defaultValue={filter.route ?? ''}
          placeholder="/patients"
        />
      </label>
      <label className="field">
        <span className="label">Correlation id</span>
        <input className="input mono" name="correlationId" defaultValue={filter.correlationId ?? ''} />
      </label>
      <div className="row">
        <Button type="submit">Filter</Button>
        {given && (
          <LinkButton look="plain" to="?">
            Clear
          </LinkButton>
        )}
      </div>
    </Form>
  )
}

function NoCalls({ apiBase }: { apiBase: string }) {
  const command = `curl "${apiBase}/context" -H "Authorization: Bearer $SANDPIPER_API_KEY"`
  return (
    <Empty
      icon={Activity}
      title="No calls yet"
      action={
        <CodeBlock label="A first call" bar="Terminal" copy={command} wrapped>
          {command}
        </CodeBlock>
      }
    >
      Every call of a key shows here within a second, refused ones with the reason. This key has not been
      used. Make the first call from your server:
    </Empty>
  )
}
