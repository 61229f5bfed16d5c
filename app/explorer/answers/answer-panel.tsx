import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import type { AnswerHead } from '../../../server/contract/http/answer-head.ts'
import type { ExplorerTraces } from '../../../server/lab/explorer/explorer-traces.ts'
import type { Serialized } from '../../lib/serialized.ts'
import { AnswerStatus } from './answer-status.tsx'
import { AnswerAccess, AnswerActivity, AnswerBudgets, type Credential } from './answer-traces.tsx'

export interface AnswerPanelProps {
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
  traces: Serialized<ExplorerTraces>
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
