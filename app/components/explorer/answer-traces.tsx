import { Link } from '@remix-run/react'
import { describeRefusal } from '../../../server/contract/refusal-reasons.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Meter } from '../ui/meter.tsx'
import { Moment } from '../ui/moment.tsx'
import { activityOf, type ShownAnswer } from './answer-types.ts'

/** The row in the log of the key: what is written down of every call. */
export function AnswerActivity({ result }: { result: ShownAnswer }) {
  const { activity, key } = result
  const more = activityOf(result)
  return (
    <section className="card" aria-labelledby="ex-activity">
      <div className="head ex-head">
        <h3 id="ex-activity">Logged to the key</h3>
        {more && (
          <Link className="small" to={more}>
            Open activity
          </Link>
        )}
      </div>
      {activity === null ? (
        <p className="small muted ex-list">It needed no key: nothing was logged to one.</p>
      ) : (
        <dl className="facts small ex-list">
          <dt>Request</dt>
          <dd>
            <code>
              {activity.method} {activity.route}
            </code>
            , {activity.status}, {Math.round(activity.durationMs)} ms,{' '}
            <Moment at={activity.at} as="seconds" />
          </dd>
          {activity.refusalReason && (
            <>
              <dt>Refused</dt>
              <dd>{describeRefusal(activity.refusalReason)}</dd>
            </>
          )}
          <dt>Key</dt>
          <dd>
            <code>{key.prefix}…</code> of {key.practice.name}, {key.level === 'full' ? 'full' : 'read-only'},
            until <Moment at={key.expiresAt} as="time" />
          </dd>
          <dt>From</dt>
          <dd>{activity.ip ?? 'Not kept'}</dd>
          <dt>Correlation id</dt>
          <dd>
            <code className="breaks">{activity.correlationId}</code>{' '}
            <CopyButton text={activity.correlationId} label="Copy the correlation id" />
          </dd>
          <dt>Not logged</dt>
          <dd>Query string, bodies</dd>
        </dl>
      )}
    </section>
  )
}

/** What the practice sees of it in its own record of access. */
export function AnswerAccess({ rows }: { rows: ShownAnswer['access'] }) {
  if (rows.length === 0) return null
  return (
    <section className="card" aria-labelledby="ex-access">
      <div className="head ex-head">
        <h3 id="ex-access">In the practice’s record of access</h3>
      </div>
      {rows.map((row) => (
        <dl className="facts small ex-list" key={`${row.action} ${row.resourceType} ${row.outcome}`}>
          <dt>What</dt>
          <dd>
            {row.action} {row.resourceType}, {row.outcome}
          </dd>
          <dt>Whose</dt>
          <dd>{row.patientId ? <code>{row.patientId}</code> : 'No one patient'}</dd>
          <dt>Records</dt>
          <dd>{row.count}</dd>
          <dt>Purpose</dt>
          <dd>
            <code>{row.purpose}</code>
          </dd>
        </dl>
      ))}
    </section>
  )
}

const windowNames: Readonly<Record<number, string>> = { 1: 'Key, this second', 60: 'Key, this minute' }

export function AnswerBudgets({ budgets }: { budgets: ShownAnswer['answer']['budgets'] }) {
  if (budgets.length === 0) return null
  return (
    <section className="stack tight" aria-labelledby="ex-budgets">
      <h3 id="ex-budgets">Budget left</h3>
      <div className="ex-meters">
        {budgets.map(({ seconds, requests, remaining }) => (
          <Meter
            key={seconds}
            label={windowNames[seconds] ?? `${seconds} seconds`}
            used={requests - remaining}
            of={requests}
          />
        ))}
      </div>
    </section>
  )
}
