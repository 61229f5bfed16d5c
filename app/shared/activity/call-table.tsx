import { Link } from '@remix-run/react'
import { describeRefusal } from '../../../server/contract/keys/refusal-reasons.ts'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { Ban, CircleCheck, TriangleAlert } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { counted } from '../../lib/dates.ts'

/** How the log names a path that no operation has. */
const noRoute = '*'

export interface Call {
  at: Date
  method: string
  /** The route's pattern; the address itself is not kept. */
  route: string
  status: number
  ip: string | null
  durationMs: number
  correlationId: string
  /** A code of contract/keys/refusal-reasons.ts. */
  refusalReason: string | null
  /** A browser sent it, where no key belongs. */
  fromBrowser: boolean
  /** The caller's own id, when it sent one. */
  clientCorrelationId: string | null
  count: number
}

/** Served, refused, or failed by us. Only our own failures are red. */
export function CallStatus({ status }: { status: number }) {
  if (status >= 500) {
    return (
      <Tag tone="bad" icon={TriangleAlert}>
        {status}
      </Tag>
    )
  }
  return status >= 400 ? (
    <Tag icon={Ban}>{status}</Tag>
  ) : (
    <Tag tone="ok" icon={CircleCheck} bare>
      {status}
    </Tag>
  )
}

interface CallTableProps {
  label: string
  calls: readonly (Call & { key?: { name: string; to: string } })[]
  /** Several keys' calls together name the key. */
  named?: boolean
  /** Pages that say more about a call, by its correlation id. */
  details?: ReadonlyMap<string, string>
}

/** Calls of a key, newest first. */
export function CallTable({ label, calls, named, details }: CallTableProps) {
  const heads = ['When', 'Call', 'Response', ...(named ? ['Key'] : ['Address', 'Duration']), 'Correlation ID']
  return (
    <DataTable label={label} heads={heads}>
      {calls.map((call) => (
        <Row key={`${call.correlationId}-${call.at.valueOf()}`}>
          <Cell className="whole">
            <Moment at={call.at} as="seconds" />
          </Cell>
          <Cell label="Call">
            <code>
              {call.method} {call.route === noRoute ? 'an unknown path' : call.route}
            </code>
            {call.count > 1 && <span className="sub">{counted(call.count, 'time')} in this second</span>}
          </Cell>
          <Cell label="Response">
            <CallStatus status={call.status} />
            {call.refusalReason && <span className="sub">{describeRefusal(call.refusalReason)}</span>}
            {details?.has(call.correlationId) && (
              <Link className="sub" to={details.get(call.correlationId) ?? ''}>
                View all checks
              </Link>
            )}
            {call.fromBrowser && <span className="sub">Sent from a browser, where keys don’t belong</span>}
          </Cell>
          {named ? (
            <Cell label="Key">{call.key && <Link to={call.key.to}>{call.key.name}</Link>}</Cell>
          ) : (
            <>
              <Cell label="Address">{call.ip ?? 'Not stored'}</Cell>
              <Cell label="Duration">{`${Math.round(call.durationMs).toLocaleString('en-US')}\u00a0ms`}</Cell>
            </>
          )}
          <Cell label="Correlation">
            <code className="breaks">{call.correlationId}</code>
            {call.clientCorrelationId && (
              <span className="sub">
                Yours: <code className="breaks">{call.clientCorrelationId}</code>
              </span>
            )}
          </Cell>
        </Row>
      ))}
    </DataTable>
  )
}
