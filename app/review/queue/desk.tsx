import type { ReactNode } from 'react'
import type { Risk } from '../../../server/contract/workflows/review-risk.ts'
import { QueuePane, type ShownQueue } from './queue-pane.tsx'
import { RiskReasons } from './risk.tsx'

interface DeskProps {
  queue: ShownQueue
  risk: Risk | null
  /** The request on the right. */
  current: string
  head: ReactNode
  /** Above both columns, such as why a step was refused. */
  notices?: ReactNode
  children: ReactNode
  /** Beside the request, below its risk: the steps and clocks. */
  decision: ReactNode
}

/** The queue on the left, one request on the right with what may be decided beside it. A phone shows the request alone. */
export function Desk({ queue, risk, current, head, notices, children, decision }: DeskProps) {
  return (
    <div className="desk">
      <QueuePane queue={queue} current={current} />
      <div className="stack">
        {head}
        {notices}
        <div className="desk-request">
          <div className="stack">{children}</div>
          <div className="stack aside">
            {risk && <RiskReasons risk={risk} />}
            {decision}
          </div>
        </div>
      </div>
    </div>
  )
}
