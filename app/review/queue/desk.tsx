import type { ReactNode } from 'react'
import { QueuePane, type ShownQueue } from './queue-pane.tsx'
import { Shortcuts } from './shortcuts.tsx'

interface DeskProps {
  queue: ShownQueue
  /** The request on the right. */
  current: string
  head: ReactNode
  /** Above both columns, such as why a step was refused. */
  notices?: ReactNode
  children: ReactNode
  /** Beside the request: risk, clocks and the steps. */
  decision: ReactNode
}

/** The queue on the left, one request on the right with what may be decided beside it. A phone shows the request alone. */
export function Desk({ queue, current, head, notices, children, decision }: DeskProps) {
  return (
    <div className="desk">
      <QueuePane queue={queue} current={current} />
      <div className="stack">
        {head}
        <Shortcuts />
        {notices}
        <div className="desk-request">
          <div className="stack">{children}</div>
          <div className="stack aside">{decision}</div>
        </div>
      </div>
    </div>
  )
}
