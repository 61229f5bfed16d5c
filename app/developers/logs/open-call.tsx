import { Link } from '@remix-run/react'
import { findFix } from '../../../server/contract/keys/refusal-fixes.ts'
import { describeRefusal } from '../../../server/contract/keys/refusal-reasons.ts'
import { Card, Facts, LinkButton, Moment } from '../../components/ui/page-parts.tsx'
import { CallStatus } from '../../shared/activity/call-table.tsx'
import { AssertionFindings } from '../apps/assertion-report.tsx'
import type { findOpenCall } from './log.server.ts'

type Open = NonNullable<Awaited<ReturnType<typeof findOpenCall>>>

/** One call: why it was refused, what to do, and what was logged. */
export function OpenCall({ call, callerPage, close }: Omit<Open, 'attempt'> & { close: string }) {
  return (
    <aside className="stack aside open-call" aria-label="Call">
      <Card
        id="call"
        title={<code className="breaks">{`${call.method} ${call.route}`}</code>}
        aside={
          <LinkButton size="sm" look="plain" to={close} preventScrollReset>
            Close
          </LinkButton>
        }
      >
        {call.refusal && (
          <div className="pad stack tight border-b">
            <h3>{describeRefusal(call.refusalReason ?? call.refusal)}</h3>
            <p>{findFix(call.refusal)}</p>
          </div>
        )}
        <Facts
          className="pad facts"
          of={{
            Response: <CallStatus status={call.status} />,
            Time: <Moment at={call.at} as="seconds" />,
            'Key or app': callerPage ? <Link to={callerPage}>{call.caller}</Link> : call.caller,
            From: call.ip ?? 'Not stored',
            Duration: `${Math.round(call.durationMs).toLocaleString('en-US')}\u00a0ms`,
            'Injected fault': call.fault && <code className="breaks">{call.fault}</code>,
            'Correlation ID': (
              <>
                <code className="breaks">{call.correlationId}</code>
                {call.clientCorrelationId && (
                  <span className="sub">
                    Yours: <code className="breaks">{call.clientCorrelationId}</code>
                  </span>
                )}
              </>
            ),
          }}
        />
        {call.refusal && (
          <footer>
            <Link to={`?${new URLSearchParams({ refusal: call.refusal })}`}>Calls with the same reason</Link>
          </footer>
        )}
      </Card>
    </aside>
  )
}

/** Why the assertion of an app was refused, check by check. */
export function Assertion({ report }: NonNullable<Open['attempt']>) {
  return (
    <Card id="assertion" title="Assertion">
      <Facts
        className="pad facts"
        of={{ Header: <Fields values={report.header} />, Claims: <Fields values={report.claims} /> }}
      />
      <AssertionFindings report={report} label="Checks when it was sent" />
    </Card>
  )
}

/** The known fields of an assertion, as they were sent. */
function Fields({ values }: { values: Readonly<Record<string, string>> }) {
  const entries = Object.entries(values)
  if (entries.length === 0) return <>None that we know</>
  return entries.map(([field, value]) => (
    <code key={field} className="block breaks">
      {field}: {value}
    </code>
  ))
}
