import { Form, Link, useLoaderData } from '@remix-run/react'
import { assignForms } from '../../../server/contract/forms/review-desk.ts'
import { searchCharactersMax } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { queueStages, reviewKinds } from '../../../server/contract/workflows/review-queue.ts'
import { riskFacts } from '../../../server/contract/workflows/review-risk.ts'
import type { QueueAsk, QueueRow } from '../../../server/domain/review-queue/queue.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
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
  SubmitButton,
} from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { refuseStep, runAction } from '../../lib/submission.server.ts'
import { actorOf, getSession, page } from '../../services.server.ts'
import { backTo, readQueue } from './queue.server.ts'
import { Assignee, QueueViews, type ShownQueue } from './queue-pane.tsx'
import { queueQuery, requestPath } from './queue-query.ts'
import { RequestClock } from './request-clock.tsx'
import { RiskTag } from './risk.tsx'

export const meta = () => [{ title: 'Queue · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'staff')
  const { account } = session
  const [queue, reviewers] = await Promise.all([
    readQueue(args, session),
    args.context.services.reviewQueues.listReviewers(session),
  ])
  const mayAssign = account.staffRole === 'reviewer'
  return { queue, reviewers, mayAssign }
})

export const action = page(async (args) => {
  const session = await getSession(args, 'staff')
  const actor = actorOf(args, session)
  return runAction(
    args,
    assignForms,
    {
      assign: async ({ pick, reviewer }) => {
        const { services } = args.context
        const { done, refused } = await services.assignRequests(
          { requests: pick, reviewerId: reviewer },
          actor,
        )
        if (refused.length === 0) return
        const why = refused.map(({ name, reason }) => `${name}: ${reason}`).join(' ')
        return refuseStep('assign', `${counted(done, 'request')} assigned. ${why}`, {})
      },
    },
    { session, to: () => ({ path: backTo(args, paths.reviewQueue), done: 'requests_assigned' }) },
  )
})

export default function QueuePage() {
  const { queue, reviewers, mayAssign } = useLoaderData<typeof loader>()
  const { ask, listed } = queue
  return (
    <>
      <PageHeader title="Queue" action={<QueueViews {...queue} to={paths.reviewQueue} />}>
        {counted(listed.total, 'request')} {queueStages[ask.stage].toLowerCase()}, earliest due date first.
      </PageHeader>
      <Refusal title="Not all assigned." />
      {mayAssign && <FirstDue queue={queue} />}
      <QueueFilter ask={ask} />
      {listed.rows.length === 0 ? (
        <EmptyState icon={Inbox} title={ask.q === '' ? 'No requests here' : `No request matches “${ask.q}”`}>
          Submitted requests are listed here until a reviewer decides. Clear the filters to see the whole
          queue.
        </EmptyState>
      ) : (
        <Card label="Queue">
          <QueueTable queue={queue} mayAssign={mayAssign} />
          <Pager label="the queue" listed={listed} />
        </Card>
      )}
      {mayAssign && ask.stage === 'waiting' && listed.rows.length > 0 && <AssignForm reviewers={reviewers} />}
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

/** Filters by what the address says; without a script too. */
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
function QueueTable({ queue: { ask, listed }, mayAssign }: { queue: ShownQueue; mayAssign: boolean }) {
  const query = queueQuery(ask, { page: listed.page })
  return (
    <DataTable
      label="Queue"
      heads={[
        ...(mayAssign ? ['Select'] : []),
        'Due',
        'Request',
        'State',
        'Risk',
        'Regulation',
        'Assigned to',
      ]}
    >
      {listed.rows.map((row) => (
        <Row key={row.id}>
          {mayAssign && (
            <Cell label="Select">
              {row.noun !== 'sandbox_key_request' && (
                <label className="check">
                  <input
                    type="checkbox"
                    name="pick"
                    value={`${row.noun}:${row.id}`}
                    form={assignFormId}
                    aria-label={`Select ${row.name || 'the untitled request'}`}
                  />
                </label>
              )}
            </Cell>
          )}
          <Cell label="Due">
            <RequestClock clock={row.promise} strip />
          </Cell>
          <Cell label="Request">
            {/* A request for a sandbox key opens for reviewers only. */}
            {mayAssign || row.noun !== 'sandbox_key_request' ? (
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

/** Boxes of the queue belong to this form wherever they stand. */
const assignFormId = 'assign'

/** Gives the ticked requests to one reviewer. */
function AssignForm({ reviewers }: { reviewers: readonly { id: string; name: string; open: number }[] }) {
  const options = reviewers.map(({ id, name, open }) => ({ value: id, label: `${name} (${open} assigned)` }))
  return (
    <Form method="post" id={assignFormId} className="card pad row items-end" aria-label="Assign requests">
      <SelectAll />
      <Select name="reviewer" label="Assign selected requests to" options={options} />
      <SubmitButton look="outline" name="intent" value="assign" busy="Assigning">
        Assign
      </SubmitButton>
    </Form>
  )
}

/** Ticks the boxes of the page; without a script each is ticked by itself. */
function SelectAll() {
  return (
    <label className="check needs-script">
      <input
        type="checkbox"
        onChange={({ target: { checked } }) => {
          for (const box of document.querySelectorAll<HTMLInputElement>(`input[form="${assignFormId}"]`))
            box.checked = checked
        }}
      />
      <span>Select all requests on this page</span>
    </label>
  )
}
