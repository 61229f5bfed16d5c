import { Link } from '@remix-run/react'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import type { AnswerHead, Budget } from '../../../server/contract/http/answer-head.ts'
import { describeRefusal } from '../../../server/contract/keys/refusal-reasons.ts'
import type { ExplorerTraces } from '../../../server/lab/explorer/explorer-practices.ts'
import { CopyCode } from '../../components/ui/copy-button.tsx'
import { Ban, CircleCheck, TriangleAlert } from '../../components/ui/icons.ts'
import { Meter } from '../../components/ui/meter.tsx'
import { Facts, Moment, Tag } from '../../components/ui/page-parts.tsx'

interface AnswerPanelProps {
  answer: Pick<AnswerHead, 'headers' | 'budgets' | 'retryAfterSeconds'> & {
    status: number
    durationMs: number
    bytes: number
  }
  /** Beside the status, where that alone does not tell how it went. */
  mark?: ReactNode
  /** Below the status: what was asked, why it was refused. */
  said?: ReactNode
  /** The body, in the views that its interface wants. */
  children: ReactNode
  /** How it compares with what its interface publishes. */
  comparison: ReactNode
  /** What other keys or tokens would get; left out where the page says it anyway. */
  levels?: ReactNode
  credential: Credential
  traces: ExplorerTraces
  code: ReactNode
}

/** What came back, and everything the call left behind: the same at every interface. */
export function AnswerPanel(props: AnswerPanelProps) {
  const { answer, mark, said, children, comparison, levels, credential, traces, code } = props
  const panel = useRef<HTMLElement>(null)
  useEffect(() => bringIntoView(panel.current), [])
  return (
    <section ref={panel} className="stack ex-answer" aria-label="Response" aria-live="polite">
      <div className="row between">
        <h2 className="row">
          <AnswerStatus status={answer.status} />
          {mark}
        </h2>
        <p className="small muted">
          {answer.durationMs.toLocaleString('en-US')} ms, {answer.bytes.toLocaleString('en-US')} bytes
        </p>
      </div>
      {said}
      {answer.retryAfterSeconds !== null && (
        <p className="small">Wait {answer.retryAfterSeconds} seconds before the next call.</p>
      )}
      {children}
      <AnswerHeaders headers={answer.headers} />
      <div className="ex-cards">
        {comparison}
        {levels}
        <AnswerActivity activity={traces.activity} credential={credential} />
        <AnswerAccess rows={traces.access} />
        <AnswerBudgets budgets={answer.budgets} noun={credential.noun} />
      </div>
      {code}
    </section>
  )
}

/** Scrolls to the beginning of the response, which may be far below a long form. The focus does not move. */
function bringIntoView(panel: HTMLElement | null): void {
  if (panel === null) return
  const { top } = panel.getBoundingClientRect()
  if (top < 0 || top > window.innerHeight / 2) panel.scrollIntoView({ block: 'start' })
}

function AnswerHeaders({ headers }: Pick<AnswerHead, 'headers'>) {
  return (
    <details className="ex-fold">
      <summary>Headers {headers.length}</summary>
      <dl className="facts small">
        {headers.map(([name, value]) => (
          <Fragment key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd className="breaks">{value}</dd>
          </Fragment>
        ))}
      </dl>
    </details>
  )
}

/** @param bare without its word, in a row of its own */
export function AnswerStatus({ status, bare = false }: { status: number; bare?: boolean }) {
  const word = bare ? '' : ` ${words[status] ?? ''}`
  if (status < 400)
    return (
      <Tag tone="ok" icon={CircleCheck} bare={bare}>
        {status}
        {word}
      </Tag>
    )
  return (
    <Tag tone={status >= 500 ? 'bad' : 'quiet'} icon={status >= 500 ? TriangleAlert : Ban} bare={bare}>
      {status}
      {word}
    </Tag>
  )
}

const words: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Payload too large',
  415: 'Unsupported type',
  429: 'Too many requests',
  500: 'Server error',
  503: 'Unavailable',
}

/** The credential of the call, by its public part and never by its secret. */
interface Credential {
  readonly noun: 'Key' | 'Token'
  /** The public prefix of a key, the app of a token. */
  readonly name: string
  /** Whose it is, and what it may. */
  readonly about: string
  readonly expiresAt: Date | string
  /** Page with the credential's activity; null when it has no owner who could read it. */
  readonly activity: string | null
}

/** Apps have the log that keys have. */
const loggedTo = { Key: 'the key', Token: 'the token’s app' } as const

/** The row in the log of the key or app: what is written down of every call. */
function AnswerActivity({
  activity,
  credential: { noun, name, about, expiresAt, activity: more },
}: {
  activity: ExplorerTraces['activity']
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
            'Correlation ID': <CopyCode text={activity.correlationId} label="Copy the correlation ID" />,
            'Not logged': 'Query string, bodies',
          }}
        />
      )}
    </section>
  )
}

/** What the practice sees of it in its own record of access. */
function AnswerAccess({ rows }: { rows: ExplorerTraces['access'] }) {
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

/** The caller's own rate limit windows. What is left of the practice's is not shown. */
function AnswerBudgets({ budgets, noun }: { budgets: readonly Budget[]; noun: Credential['noun'] }) {
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
