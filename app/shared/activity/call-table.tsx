import { Link } from '@remix-run/react'
import { describeRefusal } from '../../../server/contract/keys/refusal-reasons.ts'
import type { Services } from '../../../server/services.ts'
import { Ban, CircleCheck, TriangleAlert } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Moment, Tag } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'

/** How the log names a path that no operation has. */
const noRoute = '*'

export type Call = Awaited<ReturnType<Services['keys']['activity']>>['rows'][number]

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
  calls: readonly (Call & { caller?: string })[]
  /** The page of a call. With it, several callers' calls stand together: each names its caller. */
  to?: (call: Call) => string
  /** The correlation ID of the call that is open. */
  open?: string | undefined
}

export const pathOf = ({ method, route }: Pick<Call, 'method' | 'route'>) =>
  `${method} ${route === noRoute ? 'an unknown path' : route}`

/** Calls, newest first. */
export function CallTable({ label, calls, to, open }: CallTableProps) {
  const heads = [
    'When',
    'Call',
    'Response',
    ...(to ? ['Key or app'] : ['Address', 'Duration', 'Correlation ID']),
  ]
  return (
    <DataTable label={label} heads={heads}>
      {calls.map((call) => (
        <Row
          key={`${call.correlationId}-${call.at.valueOf()}`}
          aria-current={call.correlationId === open || undefined}
        >
          <Cell className="whole">
            <Moment at={call.at} as="seconds" />
          </Cell>
          <Cell label="Call">
            {to ? (
              <Link to={to(call)} preventScrollReset>
                <code className="breaks">{pathOf(call)}</code>
              </Link>
            ) : (
              <code>{pathOf(call)}</code>
            )}
            {call.count > 1 && <span className="sub">{counted(call.count, 'time')} in this second</span>}
          </Cell>
          <Cell label="Response">
            <CallStatus status={call.status} />
            {call.refusalReason && <span className="sub">{describeRefusal(call.refusalReason)}</span>}
            {call.fromBrowser && <span className="sub">Sent from a browser, where keys don’t belong</span>}
          </Cell>
          {to ? (
            <Cell label="Key or app">{call.caller}</Cell>
          ) : (
            <>
              <Cell label="Address">{call.ip ?? 'Not stored'}</Cell>
              <Cell label="Duration">{durationOf(call)}</Cell>
              <Cell label="Correlation">
                <CorrelationIds call={call} />
              </Cell>
            </>
          )}
        </Row>
      ))}
    </DataTable>
  )
}

export const durationOf = ({ durationMs }: Pick<Call, 'durationMs'>) =>
  `${Math.round(durationMs).toLocaleString('en-US')}\u00a0ms`

export function CorrelationIds({ call }: { call: Pick<Call, 'correlationId' | 'clientCorrelationId'> }) {
  return (
    <>
      <code className="breaks">{call.correlationId}</code>
      {call.clientCorrelationId && (
        <span className="sub">
          Yours: <code className="breaks">{call.clientCorrelationId}</code>
        </span>
      )}
    </>
  )
}
