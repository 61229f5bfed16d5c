import type { MetaFunction } from '@remix-run/react'
import { Form, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { limits } from '../../../server/contract/http/limits.ts'
import { statusClasses } from '../../../server/contract/keys/key-life.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { Button, LinkButton, SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Activity } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { sandboxBase } from '../../lib/api-base.server.ts'
import { type Done, doneCookie } from '../../lib/flash.ts'
import { readFields } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { readActivityQuery } from '../../shared/activity/activity-query.ts'
import { CallTable } from '../../shared/activity/call-table.tsx'
import { reachOf } from '../../shared/keys/key-names.ts'
import { KeyPrefix } from '../../shared/keys/key-prefix.tsx'
import { CanRead, Caps, PracticeStopped } from '../../shared/keys/practice-limits.tsx'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { EndingCalls } from './ending-calls.tsx'
import { GraceCard } from './grace-card.tsx'
import { KeyEnd } from './key-row.tsx'
import { useLiveCalls } from './live-calls.tsx'
import { Fixes } from './refusal-card.tsx'
import { callsOf, Sparkline } from './sparkline.tsx'

export const meta: MetaFunction = () => [{ title: 'Activity of a key · Sandpiper' }]
export const handle = { here: 'Keys / Activity' }

const pageRows = 50
const attemptRows = 10

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, organization } = await getOrganization(args)
  const { services } = args.context
  const mine = { organizationId: organization.id, accountId: session.accountId }
  const key = (await services.keys.list({ ...mine, keyId: args.params.key ?? '' }))[0]
  if (!key) throw data(null, { status: 404 })
  const query = new URL(args.request.url).searchParams
  const filter = readActivityQuery(args.request.url)
  const given = Object.values(filter).some((value) => value !== undefined)
  const reader = { keyId: key.id, accountId: session.accountId }
  const inGrace = key.rotatedAt !== null && key.state === 'active'
  const ended = key.state === 'revoked' || key.state === 'expired'
  // Before the calls are read: what comes between is on the page and in the stream, which is seen there, and not in
  // neither, which is not.
  const position = ended || query.has('before') ? null : await services.keys.activityPosition(reader)
  const [{ rows, next }, uses, attempts, endingCalls, limitsOfPractice] = await Promise.all([
    services.keys.activity({
      ...reader,
      before: query.get('before') ?? undefined,
      limit: pageRows,
      ...filter,
    }),
    inGrace ? services.keys.graceUse(reader) : [],
    // A request that is looked for may have come with half of the key.
    (given && !filter.correlationId) || query.has('before')
      ? null
      : services.keys.attempts({ ...reader, limit: attemptRows, ...filter }),
    services.deprecationNotices.findKeyUse(key.id),
    services.keyLimits.forOwner(reader),
  ])
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
    ended,
    live: position && `live?${new URLSearchParams({ ...Object.fromEntries(query), after: position })}`,
    search: `${new URLSearchParams([...query].filter(([name]) => name !== 'before'))}`,
    uses,
    endingCalls,
    limitsOfPractice,
    attempts: attempts?.rows ?? [],
  }
})

/** Extends the key, or changes the grace of a rotated one. */
export const action = page(async (args: ActionFunctionArgs) => {
  const { organization, actor } = await getOrganization(args)
  const { keys } = args.context.services
  const fields = await readFields(args.request)
  const keyId = args.params.key ?? ''
  let done: Done = 'key_extended'
  if (fields.get('intent') === 'grace') {
    await keys.changeGrace({ keyId, graceHours: Number(fields.get('graceHours')) }, actor)
    done = 'key_grace_changed'
  } else if (fields.get('intent') === 'extend') await keys.extend({ keyId }, actor)
  else throw data({ message: 'The form is incomplete. Reload the page and try again.' }, { status: 400 })
  return redirect(paths.keyActivity(organization.slug, keyId), {
    headers: { 'set-cookie': doneCookie(done) },
  })
})

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>
type Key = Loaded['key']

export default function KeyActivity() {
  const loaded = useLoaderData<typeof loader>()
  const { key, base, now, given, newest, older, filter, apiBase, search, uses, attempts, ended } = loaded
  const self = `${base}/${key.id}`
  const live = useLiveCalls(loaded.rows, loaded.live && `${self}/${loaded.live}`)
  const rows = live.calls
  return (
    <div className="page">
      <PageHeader title={key.name} action={key.mayRevoke && <KeyLinks of={key} self={self} />}>
        Every request with this key, including refused ones and the reason. Query strings and bodies are not
        stored.
      </PageHeader>
      {!ended && <PracticeStopped stops={loaded.limitsOfPractice.stops} />}
      {key.browserUseAt && !ended && (
        <Banner tone="turn" who="Your turn." title="This key was used from a browser.">
          Last used there on <Moment at={key.browserUseAt} />. Anyone who opens that page can read the key.
          Move the calls to a server and rotate the key.
        </Banner>
      )}
      {!ended && <EndingCalls calls={loaded.endingCalls} />}
      {key.mayExtend && (
        <Banner
          tone="turn"
          who="Your turn."
          title={`This key expires on ${key.expiresAt.toISOString().slice(0, 10)}.`}
          action={
            <Form method="post">
              <SubmitButton name="intent" value="extend" busy="Extending">
                Extend by {limits.keyDays} days
              </SubmitButton>
            </Form>
          }
        >
          One click extends it to {limits.keyDays} days from now. Otherwise, its calls get a 401 response
          after that.
        </Banner>
      )}
      {key.rotatedAt && key.state === 'active' && (
        <GraceCard
          expiresAt={key.expiresAt}
          rotatedAt={key.rotatedAt}
          now={now}
          successor={key.successor && { prefix: key.successor.prefix, to: `${base}/${key.successor.id}` }}
          uses={uses}
          mayChange={key.mayRevoke}
        />
      )}
      <KeyFacts of={key} now={now} limits={loaded.limitsOfPractice} />
      {(rows.length > 0 || given || newest) && <Filter filter={filter} given={given} />}
      {filter.correlationId && <Fixes of={[...loaded.rows, ...attempts]} />}
      {rows.length > 0 ? (
        <Calls
          name={key.name}
          rows={rows}
          state={live.state}
          self={self}
          search={search}
          newest={newest}
          older={older}
        />
      ) : attempts.length > 0 ? null : given || newest ? (
        <section className="card pad">
          <p className="muted">No calls match these filters.</p>
        </section>
      ) : (
        <NoCalls apiBase={apiBase} />
      )}
      {attempts.length > 0 && (
        <Card id="attempts" title="Invalid keys with this key’s prefix">
          <p className="pad muted">
            These calls had this key’s prefix but a wrong checksum. The key was truncated or mistyped, by you
            or by someone else.
          </p>
          <CallTable label="Calls with an invalid key" calls={attempts} />
        </Card>
      )}
    </div>
  )
}

const liveWords = {
  off: '',
  following: 'Live: new calls appear automatically.',
  lost: 'Live updates are paused. Reload to see new calls.',
} as const

function Filter({
  filter,
  given,
}: {
  filter: { status?: number | string; route?: string; correlationId?: string }
  given: boolean
}) {
  return (
    <Form method="get" className="card pad filter" role="search" aria-label="Filter calls">
      <label className="field">
        <span className="label">Response</span>
        <input
          className="input"
          name="status"
          defaultValue={filter.status ?? ''}
          placeholder="4xx or 403"
          list="answers"
        />
        <datalist id="answers">
          {statusClasses.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
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
        <span className="label">Correlation ID</span>
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
  const command = `curl "${apiBase}/context" -H "Authorization: Bearer $SVC_KEY"`
  return (
    <EmptyState
      icon={Activity}
      title="No calls yet"
      action={
        <CodeBlock label="A first call" bar="Terminal" copy={command} wrapped>
          {command}
        </CodeBlock>
      }
    >
      This key has not been used. Calls appear here within a second, with the reason if they are refused. Make
      the first call from your server:
    </EmptyState>
  )
}

function KeyLinks({ of: key, self }: { of: Key; self: string }) {
  return (
    <div className="row">
      {key.mayRotate && <LinkButton to={`${self}/rotate`}>Rotate</LinkButton>}
      <LinkButton to={`${self}/networks`}>Networks</LinkButton>
      <LinkButton to={`${self}/mcp`}>AI assistants</LinkButton>
      <LinkButton to={`${self}/limits`}>Limits</LinkButton>
      <LinkButton to={`${self}/term`}>Term</LinkButton>
      <LinkButton look="danger" to={`${self}/revoke`}>
        Revoke
      </LinkButton>
    </div>
  )
}

interface KeyFactsProps {
  of: Key
  now: Loaded['now']
  limits: Loaded['limitsOfPractice']
}

function KeyFacts({ of: key, now, limits: { access, caps, today } }: KeyFactsProps) {
  return (
    <section className="card pad key-facts" aria-label="The key">
      <div>
        <p className="small muted">Key</p>
        <KeyPrefix prefix={key.prefix} />
      </div>
      <div>
        <p className="small muted">Practice</p>
        <p>{key.practice.name}</p>
        <p className="small muted">{reachOf(key)}</p>
      </div>
      <div>
        <p className="small muted">State</p>
        <KeyEnd record={key} now={now} />
      </div>
      <div>
        <p className="small muted">Networks</p>
        {key.allowedNetworks.length === 0 ? (
          <p>anywhere</p>
        ) : (
          key.allowedNetworks.map((network) => (
            <p key={network}>
              <code>{network}</code>
            </p>
          ))
        )}
      </div>
      {key.mcpWrites && (
        <div>
          <p className="small muted">AI assistants</p>
          <p>may write</p>
        </div>
      )}
      {key.limits && (
        <div>
          <p className="small muted">Custom limits</p>
          <p>
            {key.limits.burst} per second, {key.limits.sustained.toLocaleString('en-US')} per minute
          </p>
        </div>
      )}
      {access && (
        <div>
          <p className="small muted">Can read</p>
          <CanRead access={access} />
        </div>
      )}
      {caps && (
        <div>
          <p className="small muted">Caps of the practice</p>
          <Caps caps={caps} today={today} />
        </div>
      )}
      <div>
        <p className="small muted">Last 30 days</p>
        <Sparkline days={key.days} />
        <p className="small muted">{callsOf(key.days)}</p>
      </div>
    </section>
  )
}

interface CallsProps {
  name: string
  rows: ReturnType<typeof useLiveCalls>['calls']
  state: ReturnType<typeof useLiveCalls>['state']
  self: string
  search: Loaded['search']
  newest: Loaded['newest']
  older: Loaded['older']
}

function Calls({ name, rows, state, self, search, newest, older }: CallsProps) {
  return (
    <section className="card" aria-labelledby="calls">
      <div className="head row between">
        <h2 id="calls">Calls</h2>
        <div className="row">
          <span className="small muted" role="status">
            {liveWords[state]}
          </span>
          <a className="btn sm" href={`${self}/activity.csv${search && `?${search}`}`} download>
            Download CSV
          </a>
        </div>
      </div>
      <CallTable label={`Calls with ${name}`} calls={rows} />
      {(older || newest) && (
        <footer className="row between">
          {newest ? (
            <LinkButton size="sm" to="?">
              Back to newest
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
  )
}
