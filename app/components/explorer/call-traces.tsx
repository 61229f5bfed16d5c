import type { ExplorerTraces } from '../../../server/domain/explorer/explorer-traces.ts'
import type { Wire } from '../../wire.ts'
import { Cell, Row, Table } from '../ui/table.tsx'

/** The rows that one call wrote: the activity of its app or key, and the practice's record of access. */
export function CallTraces({ activity, access }: Wire<ExplorerTraces>) {
  if (activity === null && access.length === 0) return null
  return (
    <section className="stack tight" aria-labelledby="traces">
      <h3 id="traces">What was written down</h3>
      <Table label="Rows that this call wrote" heads={['Where', 'What', 'Whose', 'Outcome']}>
        {activity && (
          <Row>
            <Cell>Activity</Cell>
            <Cell label="What">
              <code className="breaks">
                {activity.method} {activity.route}
              </code>
            </Cell>
            <Cell label="Whose">no names, no values</Cell>
            <Cell label="Outcome">
              {activity.status}, {Math.round(activity.durationMs)} ms
              {activity.refusalReason && `, ${activity.refusalReason}`}
            </Cell>
          </Row>
        )}
        {access.map(({ action, resourceType, patientId, count, purpose, outcome }) => (
          <Row key={`${action} ${resourceType} ${patientId}`}>
            <Cell>Record of access</Cell>
            <Cell label="What">
              {action} {resourceType}, {count} {count === 1 ? 'record' : 'records'}
            </Cell>
            <Cell label="Whose">{patientId ?? 'no one patient'}</Cell>
            <Cell label="Outcome">
              {outcome}, {purpose}
            </Cell>
          </Row>
        ))}
      </Table>
    </section>
  )
}
