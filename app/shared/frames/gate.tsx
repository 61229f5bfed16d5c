import type { ReactNode } from 'react'
import { PublicFrame } from './public-frame.tsx'

interface GateProps {
  title: ReactNode
  lead?: ReactNode
  children?: ReactNode
  /** Below the card: the other ways from here. */
  after?: ReactNode
  wide?: boolean
}

/** One question on a quiet page: sign in, confirm, claim. */
export function Gate({ title, lead, children, after, wide }: GateProps) {
  return (
    <PublicFrame plain>
      <div className={wide ? 'gate wide' : 'gate'}>
        <header>
          <h1>{title}</h1>
          {lead && <p>{lead}</p>}
        </header>
        {children}
        {after && <div className="after stack tight">{after}</div>}
      </div>
    </PublicFrame>
  )
}
