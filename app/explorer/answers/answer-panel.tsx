import { Link } from '@remix-run/react'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import type { AnswerHead } from '../../../server/contract/http/answer-head.ts'
import { CopyCode } from '../../components/ui/copy-button.tsx'
import { Ban, CircleCheck, TriangleAlert } from '../../components/ui/icons.ts'
import { Tag } from '../../components/ui/page-parts.tsx'

interface AnswerPanelProps {
  answer: AnswerHead & { status: number; durationMs: number; bytes: number }
  /** Shown beside the status if the status alone does not tell the result. */
  mark?: ReactNode
  /** Shown below the status, such as the request or the reason of a refusal. */
  summary?: ReactNode
  /** The body, as its API shows it. */
  children: ReactNode
  /** The page with the calls of its key; null for a key that its caller can't look up. */
  logs: string | null
  code: ReactNode
}

/** The response, the same for every API. */
export function AnswerPanel(props: AnswerPanelProps) {
  const { answer, mark, summary, children, logs, code } = props
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
      {summary}
      {answer.retryAfterSeconds !== null && (
        <p className="small">Wait {answer.retryAfterSeconds} seconds before the next call.</p>
      )}
      {children}
      <AnswerHeaders headers={answer.headers} />
      {answer.correlationId && (
        <p className="row small">
          Logged as <CopyCode text={answer.correlationId} label="Copy the correlation ID" />
          {logs && <Link to={logs}>View in logs</Link>}
        </p>
      )}
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

/** @param bare leaves out the status text, for rows of a list */
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
