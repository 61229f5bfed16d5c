import { Link } from '@remix-run/react'
import type { Budget } from '../../../server/contract/http/answer-head.ts'
import { describeRefusal } from '../../../server/contract/keys/refusal-reasons.ts'
import type { ExplorerTraces } from '../../../server/lab/explorer/explorer-traces.ts'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { Meter } from '../../components/ui/meter.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import type { Serialized } from '../../lib/serialized.ts'

/** What the call was made with: never the secret, always what it is known by. */
export interface Credential {
  readonly noun: 'Key' | 'Token'
  /** The public prefix of a key, the app of a token. */
  readonly name: string
  /** Whose it is, and what it may. */
  readonly about: string
  readonly expiresAt: Date | string
  /** Where its own activity is read; null where nobody but us does. */
  readonly activity: string | null
}

/** Apps have the log that keys have. */
const loggedTo = { Key: 'the key', Token: 'the token’s app' } as const

/** The row in the log of the key or app: what is written down of every call. */
export function AnswerActivity({
  activity,
  credential: { noun, name, about, expiresAt, activity: more },
}: {
  activity: Serialized<ExplorerTraces>['activity']
  credential: Credential
}) {
  return (
    <section className="card" aria-labelledby="ex-activity">
      <div className="head ex-head">
        <h3 id="ex-activity">Logged for {loggedTo[noun]}</h3>
        {more && (
          <Link className="small" to={more}>
            Open activity
          </Link>
        )}
      </div>
      {activity === null ? (
        <p className="small muted ex-list">
          This call needs no {noun.toLowerCase()}, so nothing was logged for {loggedTo[noun]}.
        </p>
      ) : (
        <Facts
          className="facts small ex-list"
          of={{
            Request: (
              <>
                <code className="breaks">
                  {activity.method} {activity.route}
                </code>
                , {activity.status}, {Math.round(activity.durationMs)} ms,{' '}
                <Moment at={activity.at} as="seconds" />
              </>
            ),
            Refused: activity.refusalReason && describeRefusal(activity.refusalReason),
            [noun]: (
              <>
                <code>{name}</code> of {about}, until <Moment at={expiresAt} as="time" />
              </>
            ),
            From: activity.ip ?? 'Not stored',
            'Correlation ID': (
              <>
                <code className="breaks">{activity.correlationId}</code>{' '}
                <CopyButton text={activity.correlationId} label="Copy the correlation ID" />
              </>
            ),
            'Not logged': 'Query string, bodies',
          }}
        />
      )}
    </section>
  )
}

/** What the practice sees of it in its own record of access. */
export function AnswerAccess({ rows }: { rows: Serialized<ExplorerTraces>['access'] }) {
  if (rows.length === 0) return null
  return (
    <section className="card" aria-labelledby="ex-access">
      <div className="head ex-head">
        <h3 id="ex-access">In the practice’s access record</h3>
      </div>
      {rows.map((row) => (
        <dl
          className="facts small ex-list"
          key={`${row.action} ${row.resourceType} ${row.patientId} ${row.outcome}`}
        >
          <dt>Action</dt>
          <dd>
            {/* What is refused before it is known as one of ours has neither. */}
            {row.action === 'none' ? 'Nothing' : [row.action, row.resourceType].filter(Boolean).join(' ')},{' '}
            {row.outcome}
          </dd>
          <dt>Patient</dt>
          <dd>{row.patientId ? <code>{row.patientId}</code> : 'No single patient'}</dd>
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

const windowNames: Readonly<Record<number, string>> = { 1: 'this second', 60: 'this minute' }

/** The windows that the interface told of: those of the caller itself. What is left of a practice's is nobody else's to know. */
export function AnswerBudgets({ budgets, noun }: { budgets: readonly Budget[]; noun: Credential['noun'] }) {
  if (budgets.length === 0) return null
  return (
    <section className="card" aria-labelledby="ex-budgets">
      <div className="head ex-head">
        <h3 id="ex-budgets">Rate limit left</h3>
      </div>
      <div className="ex-meters ex-list">
        {budgets.map(({ seconds, requests, remaining }) => (
          <Meter
            key={seconds}
            label={`${noun}, ${windowNames[seconds] ?? `${seconds} seconds`}`}
            used={requests - remaining}
            of={requests}
          />
        ))}
      </div>
    </section>
  )
}
