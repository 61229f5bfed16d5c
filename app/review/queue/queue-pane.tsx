import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { type QueueView, queueViews, reviewKinds } from '../../../server/contract/workflows/review-queue.ts'
import type { QueueAsk, QueueRow, ReviewQueue } from '../../../server/domain/review-queue/queue.ts'
import { Pager } from '../../components/ui/list.tsx'
import { queueQuery, requestPath } from './queue-query.ts'
import { RequestClock } from './request-clock.tsx'
import { RiskTag } from './risk.tsx'

export interface ShownQueue {
  ask: QueueAsk
  listed: ReviewQueue
}

/** Links to views of the queue, each with its count. */
export function QueueViews({ ask, listed, to }: ShownQueue & { to: string }) {
  return (
    <nav className="seg" aria-label="Show">
      {(Object.keys(queueViews) as QueueView[]).map((view) => (
        <Link
          key={view}
          to={to + queueQuery(ask, { view })}
          aria-current={view === ask.view ? 'true' : undefined}
          preventScrollReset
        >
          {queueViews[view]} {listed.counts[view].toLocaleString('en-US')}
        </Link>
      ))}
    </nav>
  )
}

/** The queue beside a request: scrolls by itself, and each entry is a link. */
export function QueuePane({ queue, current }: { queue: ShownQueue; current: string }) {
  const { ask, listed } = queue
  const query = queueQuery(ask, { page: listed.page })
  return (
    <section className="card queue-pane" aria-label="Queue">
      <div className="queue-head">
        <QueueViews {...queue} to={paths.reviewQueue} />
        <Link className="small" to={paths.reviewQueue + query}>
          Whole queue
        </Link>
      </div>
      <div className="queue-rows">
        {listed.rows.length === 0 && <p className="pad muted">Nothing else in this queue.</p>}
        <ul>
          {listed.rows.map((row) => (
            <li key={row.id}>
              <PaneEntry row={row} to={requestPath(row) + query} current={row.id === current} />
            </li>
          ))}
        </ul>
        <Pager label="the queue" listed={listed} />
      </div>
    </section>
  )
}

function PaneEntry({ row, to, current }: { row: QueueRow; to: string; current: boolean }) {
  return (
    <Link className="queue-entry" to={to} aria-current={current ? 'page' : undefined}>
      <span className="row between">
        <b className="breaks">{row.name || 'Untitled'}</b>
        {row.risk.level === 'high' && <RiskTag risk={row.risk} bare />}
      </span>
      <span className="sub breaks">
        {row.organizationName} · {reviewKinds[row.kind]}
      </span>
      <RequestClock clock={row.promise ?? row.rule} strip />
      <span className="sub">
        {row.stateName} · <Assignee row={row} />
      </span>
    </Link>
  )
}

export function Assignee({ row: { assignee, barred } }: { row: QueueRow }) {
  if (barred) return <>You can’t decide on this</>
  if (assignee === null) return <>Unassigned</>
  return <>{assignee.isReader ? 'You' : assignee.name}</>
}
