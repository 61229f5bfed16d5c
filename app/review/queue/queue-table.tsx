import { Link } from '@remix-run/react'
import { reviewKinds } from '../../../server/contract/workflows/review-queue.ts'
import { riskFacts } from '../../../server/contract/workflows/review-risk.ts'
import type { QueueRow } from '../../../server/domain/review-queue/queue.ts'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { assignFormId } from './assign-form.tsx'
import { Assignee, type ShownQueue } from './queue-pane.tsx'
import { queueQuery, requestPath } from './queue-query.ts'
import { RequestClock } from './request-clock.tsx'
import { RiskTag } from './risk.tsx'

const heads = ['Select', 'Due', 'Request', 'State', 'Risk', 'Rule', 'Assigned to']

/** The queue as a table: each request with its clocks, its risk and its reviewer. */
export function QueueTable({ queue: { ask, listed } }: { queue: ShownQueue }) {
  const query = queueQuery(ask, { page: listed.page })
  return (
    <DataTable label="Queue" heads={heads}>
      {listed.rows.map((row) => (
        <Row key={row.id}>
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
          <Cell label="Due">
            <RequestClock clock={row.promise} strip />
          </Cell>
          <Cell label="Request">
            <Link className="label breaks" to={requestPath(row) + query} data-queue-entry="">
              {row.name || 'Untitled'}
            </Link>
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
          <Cell label="Rule">
            {row.rule ? (
              <RequestClock clock={row.rule} />
            ) : (
              <span className="muted">No regulatory deadline</span>
            )}
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
