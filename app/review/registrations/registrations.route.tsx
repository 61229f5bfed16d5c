import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Inbox } from 'lucide-react'
import { pageOf, readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  type RegistrationKind,
  type RegistrationState,
  registrationKinds,
  stateNames,
} from '../../../server/contract/workflows/registration-workflow.ts'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Pager } from '../../components/ui/list-tools.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { counted } from '../../lib/dates.ts'
import { getSession, page } from '../../services.server.ts'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'
import { ReviewMetricsCard } from './review-metrics.tsx'

export const meta: MetaFunction = () => [{ title: 'Registrations · Sandpiper' }]

const claims = { anybody: 'Anybody’s', mine: 'Mine', nobody: 'Nobody’s' } as const

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { account, accountId } = await getSession(args, 'staff')
  const { reviews } = args.context.services.registrations
  const query = new URL(args.request.url).searchParams
  const filter = readFilter(query)
  const [queue, metrics] = await Promise.all([
    reviews.queue(filter, { accountId }),
    reviews.metrics({ accountId }),
  ])
  const listed = pageOf(readPageAsk(query), queue)
  return { account: { name: account.name, email: account.email }, filter, listed, metrics }
})

function readFilter(query: URLSearchParams) {
  const [claimed, kind, state] = ['claimed', 'kind', 'state'].map((name) => query.get(name) ?? '')
  return {
    claimed: Object.hasOwn(claims, claimed ?? '') ? (claimed as keyof typeof claims) : ('anybody' as const),
    ...(Object.hasOwn(registrationKinds, kind ?? '') ? { kind: kind as RegistrationKind } : {}),
    ...(Object.hasOwn(stateNames, state ?? '') ? { state: state as RegistrationState } : {}),
    search: (query.get('search') ?? '').slice(0, 100),
  }
}

export default function ReviewQueue() {
  const { account, filter, listed, metrics } = useLoaderData<typeof loader>()
  const { rows: queue } = listed
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHeader title="Registrations">
        By due date, the first due first. <Link to={paths.productionQueue}>Production keys</Link>,{' '}
        <Link to={paths.staff}>other requests</Link>
      </PageHeader>
      <Form method="get" className="card pad row wraps" role="search" aria-label="Filters">
        <Select name="claimed" label="Claimed" value={filter.claimed} options={Object.entries(claims)} />
        <Select
          name="kind"
          label="Kind"
          value={filter.kind ?? ''}
          options={[['', 'Every kind'], ...Object.entries(registrationKinds)]}
        />
        <Select
          name="state"
          label="State"
          value={filter.state ?? ''}
          options={[['', 'Waiting for us'], ...Object.entries(stateNames)]}
        />
        <div className="field">
          <label htmlFor="search">App or organization</label>
          <input className="input" id="search" name="search" type="search" defaultValue={filter.search} />
        </div>
        <Button type="submit">Filter</Button>
      </Form>
      {queue.length === 0 ? (
        <EmptyState icon={Inbox} title="Nothing here">
          No request fits the filters. Without any, what waits for a reviewer is shown.
        </EmptyState>
      ) : (
        <Card label="Queue">
          <DataTable label="Registrations" heads={['Request', 'State', 'Promise', 'Rule', 'Claimed by']}>
            {queue.map((entry) => (
              <Row key={entry.id}>
                <Cell>
                  <Link className="label" to={paths.reviewRegistration(entry.id)}>
                    {entry.name || 'Without a name'}
                  </Link>
                  <span className="sub">
                    {entry.organizationName} · {registrationKinds[entry.kind]}
                  </span>
                </Cell>
                <Cell label="State">
                  {stateNames[entry.state]}
                  {entry.rejectionProposed && <span className="sub">Rejection proposed</span>}
                </Cell>
                <Cell label="Promise">
                  <Due clocks={entry.clocks.filter(({ kind }) => kind === 'promise')} />
                </Cell>
                <Cell label="Rule">
                  <Due clocks={entry.clocks.filter(({ kind }) => kind !== 'promise')} />
                </Cell>
                <Cell label="Claimed by">{entry.mine ? 'You' : (entry.claimedBy ?? 'Nobody')}</Cell>
              </Row>
            ))}
          </DataTable>
          <Pager label="registrations" listed={listed} />
        </Card>
      )}
      <ReviewMetricsCard metrics={metrics} />
    </ConsoleFrame>
  )
}

interface SelectProps {
  name: string
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
}

function Select({ name, label, value, options }: SelectProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <select className="input" id={name} name={name} defaultValue={value}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

interface DueProps {
  clocks: readonly {
    state: 'running' | 'paused' | 'stopped'
    dueAt: Date
    days: number
    usedDays: number
    remainingDays: number
    breachedAt: Date | null
  }[]
}

/** The clock that counts now: when it is due, and how much of it is left. */
function Due({ clocks }: DueProps) {
  const clock = clocks.find(({ state }) => state !== 'stopped')
  if (!clock) return <>None runs</>
  if (clock.state === 'paused') return <>Paused, {counted(clock.remainingDays, 'day')} left</>
  return (
    <>
      <Moment at={clock.dueAt} as="deadline" />
      <span className="sub">
        {clock.breachedAt ? (
          <Tag tone="bad" bare>
            Overdue
          </Tag>
        ) : (
          `${clock.usedDays} of ${counted(clock.days, 'day')} used`
        )}
      </span>
    </>
  )
}
