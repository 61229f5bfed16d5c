import { Form, Link, useLoaderData } from '@remix-run/react'
import { searchCharactersMax } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { queueStages, reviewKinds } from '../../../server/contract/workflows/review-queue.ts'
import { riskFacts } from '../../../server/contract/workflows/review-risk.ts'
import type { QueueAsk, QueueRow } from '../../../server/domain/review-queue/queue.ts'
import { Field, optionsOf, Select } from '../../components/ui/form.tsx'
import { Inbox } from '../../components/ui/icons.ts'
import { Cell, DataTable, Pager, Row } from '../../components/ui/list.tsx'
import {
  Banner,
  Button,
  Card,
  EmptyState,
  LinkButton,
  Moment,
  PageHeader,
} from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { getSession, page } from '../../services.server.ts'
import { readQueue } from './queue.server.ts'
import { Assignee, QueueViews, type ShownQueue } from './queue-pane.tsx'
import { queueQuery, requestPath } from './queue-query.ts'
import { RequestClock } from './request-clock.tsx'
import { RiskTag } from './risk.tsx'

export const meta = () => [{ title: 'Queue · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'staff')
  return { queue: await readQueue(args, session), isReviewer: session.account.staffRole === 'reviewer' }
})

export default function QueuePage() {
  const { queue, isReviewer } = useLoaderData<typeof loader>()
  const { ask, listed } = queue
  return (
    <>
      <PageHeader title="Queue" action={<QueueViews {...queue} to={paths.reviewQueue} />}>
        {counted(listed.total, 'request')} {queueStages[ask.stage].toLowerCase()}, earliest due date first.
      </PageHeader>
      {isReviewer && <FirstDue queue={queue} />}
      <QueueFilter ask={ask} />
      {listed.rows.length === 0 ? (
        <EmptyState icon={Inbox} title={ask.q === '' ? 'No requests here' : `No request matches “${ask.q}”`}>
          Submitted requests are listed here until a reviewer decides. Clear the filters to see the whole
          queue.
        </EmptyState>
      ) : (
        <Card label="Queue">
          <QueueTable queue={queue} isReviewer={isReviewer} />
          <Pager label="the queue" listed={listed} />
        </Card>
      )}
    </>
  )
}

/** The first request due that the reader may decide on. */
function FirstDue({ queue: { ask, listed } }: { queue: ShownQueue }) {
  const first = listed.rows.find(({ barred, assignee }) => !barred && (assignee?.isReader ?? true))
  const clock = first?.promise ?? first?.rule
  if (ask.stage !== 'waiting' || listed.page > 1 || !first || clock?.state !== 'running') return null
  return (
    <Banner
      tone={clock.overdue ? 'bad' : 'turn'}
      title={
        <>
          {first.name || 'Untitled request'} {clock.overdue ? 'was due' : 'is due'}{' '}
          <Moment at={clock.dueAt} as="deadline" />.
        </>
      }
      action={
        <LinkButton look="primary" to={requestPath(first) + queueQuery(ask)}>
          Open request
        </LinkButton>
      }
    >
      The public statistics count every missed deadline.
    </Banner>
  )
}

/** The queue's filters, which work without a script. */
function QueueFilter({ ask }: { ask: QueueAsk }) {
  return (
    <Form
      method="get"
      className="card pad queue-filter"
      role="search"
      aria-label="Filters"
      key={`${ask.q} ${ask.kind} ${ask.stage}`}
    >
      {ask.view !== 'all' && <input type="hidden" name="view" value={ask.view} />}
      <Select
        name="kind"
        label="Kind"
        value={ask.kind ?? ''}
        options={optionsOf({ '': 'All kinds', ...reviewKinds })}
      />
      <Select name="stage" label="Stage" value={ask.stage} options={optionsOf(queueStages)} />
      <Field
        name="q"
        label="App, key or organization"
        type="search"
        value={ask.q}
        maxLength={searchCharactersMax}
      />
      <Button type="submit">Filter</Button>
    </Form>
  )
}

/** The queue as a table: each request with its clocks, its risk and its reviewer. */
function QueueTable({ queue: { ask, listed }, isReviewer }: { queue: ShownQueue; isReviewer: boolean }) {
  const query = queueQuery(ask, { page: listed.page })
  return (
    <DataTable label="Queue" heads={['Due', 'Request', 'State', 'Risk', 'Regulation', 'Assigned to']}>
      {listed.rows.map((row) => (
        <Row key={row.id}>
          <Cell label="Due">
            <RequestClock clock={row.promise} strip />
          </Cell>
          <Cell label="Request">
            {/* A request for a sandbox key opens for reviewers only. */}
            {isReviewer || row.noun !== 'sandbox_key_request' ? (
              <Link className="label breaks" to={requestPath(row) + query}>
                {row.name || 'Untitled'}
              </Link>
            ) : (
              <span className="label breaks">{row.name}</span>
            )}
            <span className="sub breaks">
              {row.organizationName} · {reviewKinds[row.kind]}
            </span>
          </Cell>
          <Cell label="State">
            {row.stateName}
            {row.needsSecond && <span className="sub">Needs a second reviewer</span>}
          </Cell>
          <Cell label="Risk">
            <Reasons row={row} />
          </Cell>
          <Cell label="Regulation">
            {row.rule ? <RequestClock clock={row.rule} /> : <span className="muted">No deadline</span>}
          </Cell>
          <Cell label="Assigned to">
            <Assignee row={row} />
          </Cell>
        </Row>
      ))}
    </DataTable>
  )
}

function Reasons({ row: { risk } }: { row: QueueRow }) {
  return (
    <>
      <RiskTag risk={risk} bare />
      {risk.facts.map((fact) => (
        <span className="sub" key={fact}>
          {riskFacts[fact].sentence}
        </span>
      ))}
    </>
  )
}
