import { Form, Link, useLoaderData, useLocation } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { type LogTime, loggedMethods, statusClasses } from '../../../server/contract/keys/key-life.ts'
import { describeRefusal } from '../../../server/contract/keys/refusal-reasons.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Activity } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Button, Card, EmptyState, LinkButton, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { getOrganization, page } from '../../services.server.ts'
import { readActivityQuery } from '../../shared/activity/activity-query.ts'
import { type Call, CallStatus, pathOf } from '../../shared/activity/call-table.tsx'
import { filterOf, findOpenCall, nameCallers, readerOf } from './log.server.ts'
import { Assertion, OpenCall } from './open-call.tsx'

export const meta = () => [{ title: 'Logs · Sandpiper' }]
export const handle = { here: 'Logs' }

const pageRows = 25

export const loader = page(async (args) => {
  const { organization, member } = await getOrganization(args)
  const { keys, clock } = args.context.services
  const query = new URL(args.request.url).searchParams
  const selected = readActivityQuery(args.request.url)
  const reader = readerOf(selected, member)
  const before = query.get('before') ?? undefined
  const filters = new URLSearchParams(
    [...query].filter(([name]) => !['before', 'after', 'call'].includes(name)),
  )
  const [{ rows, next, position }, callers] = await Promise.all([
    keys.openLog({ ...reader, ...filterOf(selected, clock()), before, limit: pageRows }),
    keys.listCallers(member),
  ])
  const nameOf = nameCallers(callers)
  const calls = rows.map((row) => ({ ...row, caller: nameOf(row) }))
  const here = paths.logs(organization.slug)
  return {
    here,
    keys: paths.organizationKeys(organization.slug),
    selected,
    filters: `${filters}`,
    callers: [
      ...callers.keys.map(({ id, name }) => ({ value: `key:${id}`, label: name })),
      ...callers.apps.map(({ id, name }) => ({ value: `app:${id}`, label: `${name} (app)` })),
    ],
    calls,
    older: next && `?${new URLSearchParams([...filters, ['before', next]])}`,
    isOlder: before !== undefined,
    live: position && `${here}/live?${new URLSearchParams([...filters, ['after', position]])}`,
    open: await findOpenCall(args, { calls, reader, nameOf }),
  }
})

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

const liveWords = {
  off: '',
  following: 'Live: new calls appear automatically.',
  lost: 'Live updates are paused. Reload to see new calls.',
} as const

/** Every call of the organization's keys and apps; one opens beside the list. */
export default function Logs() {
  const loaded = useLoaderData<typeof loader>()
  const { here, filters, isOlder, older, open } = loaded
  const { calls, state } = useLiveCalls(loaded.calls, loaded.live)
  const { search } = useLocation()
  const isFiltered = filters !== ''
  const toCall = ({ correlationId }: Call) => {
    const query = new URLSearchParams(search)
    query.set('call', correlationId)
    return `?${query}`
  }
  return (
    <div className="page">
      <PageHeader
        title="Logs"
        action={
          <a className="btn" href={`${here}.csv${filters && `?${filters}`}`} download>
            Download CSV
          </a>
        }
      >
        Every call of your keys and apps, with the reason if it was refused. Query strings and bodies are not
        stored. <span role="status">{liveWords[state]}</span>
      </PageHeader>
      {(calls.length > 0 || isFiltered) && <Filter {...loaded} isFiltered={isFiltered} />}
      <div className={open ? 'grid main-aside' : 'stack'}>
        {calls.length > 0 ? (
          <Card label="Calls">
            <Calls calls={calls} to={toCall} open={open?.call.correlationId} />
            {(older || isOlder) && (
              <footer className="row between">
                {isOlder ? (
                  <LinkButton size="sm" to={`?${filters}`}>
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
          </Card>
        ) : isFiltered || isOlder ? (
          <p className="card pad muted">No calls match these filters.</p>
        ) : (
          <EmptyState icon={Activity} title="No calls yet">
            Calls with your keys and apps appear here within a second.{' '}
            <Link to={loaded.keys}>View your keys</Link>
          </EmptyState>
        )}
        {open && <OpenCall {...open} close={`?${filters}`} />}
      </div>
      {open?.attempt && <Assertion {...open.attempt} />}
    </div>
  )
}

interface CallsProps {
  calls: readonly LoggedCall[]
  to: (call: Call) => string
  /** The correlation ID of the call that is open. */
  open: string | undefined
}

function Calls({ calls, to, open }: CallsProps) {
  return (
    <DataTable dense label="Calls" heads={['Call', 'Response', 'When', 'Key or app']}>
      {calls.map((call) => (
        <Row
          key={`${call.correlationId}-${call.at.valueOf()}`}
          aria-current={call.correlationId === open || undefined}
        >
          <Cell>
            <Link to={to(call)} preventScrollReset>
              <code className="breaks">{pathOf(call)}</code>
            </Link>
            {call.refusalReason && <span className="sub">{describeRefusal(call.refusalReason)}</span>}
            {call.fromBrowser && <span className="sub">Sent from a browser, where keys don’t belong</span>}
            {call.count > 1 && <span className="sub">{counted(call.count, 'time')} in this second</span>}
          </Cell>
          <Cell>
            <CallStatus status={call.status} />
          </Cell>
          <Cell className="whole small">
            <Moment at={call.at} as="seconds" />
          </Cell>
          <Cell className="small">{call.caller}</Cell>
        </Row>
      ))}
    </DataTable>
  )
}

const times: Readonly<Record<LogTime, string>> = {
  today: 'Today, since 00:00 UTC',
  hour: 'Last hour',
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
}

type Option = readonly [value: string, label: string]

function Filter({ selected, callers, calls, isFiltered }: Loaded & { isFiltered: boolean }) {
  const reasons = new Map(
    calls.flatMap(({ refusal }) => (refusal ? [[refusal, describeRefusal(refusal)]] : [])),
  )
  if (selected.refusal) reasons.set(selected.refusal, describeRefusal(selected.refusal))
  const known = callers.map(({ value, label }): Option => [value, label])
  const other: Option[] =
    selected.caller && !known.some(([value]) => value === selected.caller)
      ? [[selected.caller, 'One key']]
      : []
  const choices = [
    ['caller', 'Key or app', [...other, ...known]],
    ['method', 'Method', loggedMethods.map((method): Option => [method, method])],
    ['refusal', 'Refusal', [...reasons]],
    ['within', 'Time', Object.entries(times)],
  ] as const
  return (
    <Form method="get" className="card pad stack" role="search" aria-label="Filter calls">
      <div className="filter">
        <label className="field">
          <span className="label">Response</span>
          <input
            className="input"
            name="status"
            defaultValue={selected.status ?? ''}
            placeholder="4xx or 403"
            list="answers"
          />
          <datalist id="answers">
            {['refused', ...statusClasses].map((status) => (
              <option key={status} value={status} />
            ))}
          </datalist>
        </label>
        <label className="field">
          <span className="label">Correlation ID</span>
          <input className="input mono" name="correlationId" defaultValue={selected.correlationId ?? ''} />
        </label>
        <div className="row">
          <Button type="submit">Filter</Button>
          {isFiltered && (
            <LinkButton look="plain" to="?">
              Clear
            </LinkButton>
          )}
        </div>
      </div>
      <details open={['route' as const, ...choices.map(([name]) => name)].some((name) => selected[name])}>
        <summary>More filters</summary>
        <div className="filter choices mt-3">
          <label className="field">
            <span className="label">Route</span>
            <input
              className="input mono"
              name="route"
              defaultValue={selected.route ?? ''}
              placeholder="/patients"
            />
          </label>
          {choices.map(([name, label, options]) => (
            <label className="field" key={name}>
              <span className="label">{label}</span>
              <select className="input" name={name} defaultValue={selected[name] ?? ''}>
                <option value="">All</option>
                {options.map(([value, shown]) => (
                  <option key={value} value={value}>
                    {shown}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
      </details>
    </Form>
  )
}

const shownMax = 200

type State = 'off' | 'following' | 'lost'

/** A call with the name of its key or app. */
type LoggedCall = Call & { caller: string }

/** The page's calls and newer ones, newest first. @param address of the event stream; null turns it off */
function useLiveCalls(
  calls: readonly LoggedCall[],
  address: string | null,
): { calls: LoggedCall[]; state: State } {
  const [fresh, setFresh] = useState<readonly LoggedCall[]>([])
  const [state, setState] = useState<State>('off')

  useEffect(() => {
    setFresh([])
    setState('off')
    if (address === null) return
    const source = new EventSource(address)
    source.onopen = () => setState('following')
    // EventSource reconnects on its own, unless the server refused the connection.
    source.onerror = () => setState('lost')
    source.onmessage = ({ data }) => {
      const call = JSON.parse(String(data)) as Omit<LoggedCall, 'at'> & { at: string }
      setFresh((current) =>
        current.some(({ correlationId }) => correlationId === call.correlationId)
          ? current
          : [{ ...call, at: new Date(call.at) }, ...current].slice(0, shownMax),
      )
    }
    return () => source.close()
  }, [address])

  const pageIds = new Set(calls.map(({ correlationId }) => correlationId))
  return {
    calls: [...fresh.filter(({ correlationId }) => !pageIds.has(correlationId)), ...calls],
    state,
  }
}
