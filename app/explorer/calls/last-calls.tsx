import { Form, Link } from '@remix-run/react'
import { Button, Moment } from '../../components/ui/page-parts.tsx'
import { AnswerStatus } from '../answers/answer-panel.tsx'
import type { ExplorerPage } from '../page.ts'

/** The reader's own calls, newest first, each with a link that opens it again. */
export function LastCalls({ calls, callsMax, days }: ExplorerPage['history']) {
  return (
    <details className="ex-fold ex-last" open>
      <summary>Last {callsMax} calls</summary>
      {calls.length === 0 ? (
        <p className="small muted">No calls yet.</p>
      ) : (
        <>
          <ul>
            {calls.map(({ id, to, method, path, status, at, durationMs }) => (
              <li key={id}>
                <AnswerStatus status={status} bare />
                <div>
                  <Link to={to}>
                    <code>
                      {method} {path}
                    </code>
                  </Link>
                  <p className="small muted">
                    <Moment at={at} as="seconds" />, {Math.round(durationMs).toLocaleString('en-US')} ms
                  </p>
                </div>
              </li>
            ))}
          </ul>
          <Form method="post" preventScrollReset className="row between">
            <p className="small muted">
              Only you can see them, for {days} days. Bodies and values that could name a person aren’t
              stored.
            </p>
            <Button type="submit" size="sm" name="forget" value="all">
              Delete all
            </Button>
          </Form>
        </>
      )}
    </details>
  )
}
