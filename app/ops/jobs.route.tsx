import { useLoaderData } from '@remix-run/react'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { Clock, ListChecks } from '../components/ui/icons.ts'
import { Cell, DataTable, ListSearch, Pager, Row } from '../components/ui/list.tsx'
import { Card, EmptyState, Moment, PageHeader, Tag } from '../components/ui/page-parts.tsx'
import { counted, waitFor } from '../lib/dates.ts'
import { page } from '../services.server.ts'
import { openOps, performAction, withoutAct } from './ops.server.ts'
import { OpsActionForm, OpsActionLink, useRequested } from './ops-action.tsx'

export const meta = () => [{ title: 'Jobs · Sandpiper' }]

const pageActions = ['retry_job', 'give_up_job'] as const

export const loader = page(async (args) => {
  const { actor, act } = await openOps(args, pageActions)
  const list = await args.context.services.operations.jobs.list(
    actor,
    readPageAsk(new URL(args.request.url).searchParams),
  )
  const toIndex = Object.entries(await args.context.services.store.countBehind())
  return { act, toIndex, ...list }
})

export const action = page((args) => performAction(args, pageActions, withoutAct(args.request)))

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

export default function Jobs() {
  const { toIndex, jobs, oldestDueSeconds, troubled: listed } = useLoaderData<typeof loader>()
  const requested = useRequested()
  const { rows: troubled, q } = listed
  const job = troubled.find(({ id }) => id === requested?.id)
  return (
    <>
      <PageHeader title="Jobs">
        {oldestDueSeconds === null
          ? 'No job is due now. Each waiting job starts at its own time.'
          : `The oldest due job has been waiting for ${waitFor(Math.round(oldestDueSeconds))}.`}
      </PageHeader>
      <OpsActionForm
        about={
          job ? `${job.task}, job ${job.id}, ${counted(job.attempts, 'attempt')}` : `Job ${requested?.id}`
        }
      />
      {toIndex.length > 0 && <IndexCard toIndex={toIndex} />}
      {jobs.length === 0 ? (
        <EmptyState icon={ListChecks} title="The queue is empty">
          Emails, keys, exports and schedules create jobs. Finished jobs are deleted.
        </EmptyState>
      ) : (
        <TaskCard jobs={jobs} />
      )}
      {(q !== '' || listed.pages > 1) && <ListSearch label="Task or job ID" q={q} />}
      {q !== '' && troubled.length === 0 && <p className="muted">No failed job matches “{q}”.</p>}
      {troubled.length > 0 && <TroubledCard listed={listed} />}
    </>
  )
}

function IndexCard({ toIndex }: Pick<Loaded, 'toIndex'>) {
  return (
    <Card id="search-index" title="The search index is being rebuilt">
      <p>
        This release has search parameters that these resources are not indexed for yet. The parameters are
        not offered until the job <code>reindex</code> has finished.
      </p>
      <DataTable label="Resources to index, by type" heads={['Type', 'Resources']}>
        {toIndex.map(([type, count]) => (
          <Row key={type}>
            <Cell>{type}</Cell>
            <Cell label="Resources">{count}</Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}

function TaskCard({ jobs }: Pick<Loaded, 'jobs'>) {
  return (
    <Card id="tasks" title="By task">
      <DataTable label="Jobs by task" heads={['Task', 'Waiting', 'Running', 'Failed']}>
        {jobs.map(({ task, waiting, running, failed }) => (
          <Row key={task}>
            <Cell>
              <code>{task}</code>
            </Cell>
            <Cell label="Waiting">{waiting}</Cell>
            <Cell label="Running">{running}</Cell>
            <Cell label="Failed">{failed > 0 ? <Tag tone="bad">{failed}</Tag> : 0}</Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}

function TroubledCard({ listed }: { listed: Loaded['troubled'] }) {
  return (
    <Card id="troubled" title="Failed at least once">
      <DataTable label="Failed at least once" heads={['Job', 'State', 'Error']} act="Actions">
        {listed.rows.map((row) => (
          <TroubledRow key={row.id} row={row} />
        ))}
      </DataTable>
      <Pager label="failed jobs" listed={listed} />
      <footer>Only the kind of error is shown, because its message may contain data from the job.</footer>
    </Card>
  )
}

function TroubledRow({ row }: { row: Loaded['troubled']['rows'][number] }) {
  return (
    <Row>
      <Cell>
        <code>{row.task}</code>
        <span className="sub">{row.id}</span>
      </Cell>
      <Cell label="State">
        {row.state === 'failed' ? (
          <Tag tone="bad">Out of attempts</Tag>
        ) : (
          <Tag
            tone={row.state === 'running' ? 'teal' : 'quiet'}
            icon={row.state === 'running' ? undefined : Clock}
          >
            {row.state === 'running' ? 'Running' : 'Waiting'}
          </Tag>
        )}
        <span className="sub">
          {row.attempts} of {row.maxAttempts} attempts, due <Moment at={row.runAt} />
        </span>
      </Cell>
      <Cell label="Error">
        <code className="breaks">{row.lastError}</code>
      </Cell>
      <Cell className="act">
        {row.state !== 'running' && (
          <span className="row">
            <OpsActionLink
              act="retry_job"
              id={row.id}
              version={row.attempts}
              label="Retry"
              about={`job ${row.id}`}
            />
            <OpsActionLink
              act="give_up_job"
              id={row.id}
              version={row.attempts}
              label="Cancel"
              about={`job ${row.id}`}
            />
          </span>
        )}
      </Cell>
    </Row>
  )
}
