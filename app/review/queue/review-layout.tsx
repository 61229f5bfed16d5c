import type { ReactNode } from 'react'
import type { Risk } from '../../../server/contract/workflows/review-risk.ts'
import { QueuePane, type ShownQueue } from './queue-pane.tsx'
import { RiskReasons } from './risk.tsx'

interface ReviewLayoutProps {
  queue: ShownQueue
  risk: Risk | null
  /** The id of the request that the page shows. */
  current: string
  head: ReactNode
  /** Above the request and its decision, such as why a step was refused. */
  notices?: ReactNode
  children: ReactNode
  /** What the reviewer can decide, and the deadlines. Stands beside the request, below its risk. */
  decision: ReactNode
}

/** The queue on the left, the request in the middle, its decision on the right. Phones hide the queue. */
export function ReviewLayout(props: ReviewLayoutProps) {
  const { queue, risk, current, head, notices, children, decision } = props
  return (
    <div className="review-layout">
      <QueuePane queue={queue} current={current} />
      <div className="stack">
        {head}
        {notices}
        <div className="review-request">
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
