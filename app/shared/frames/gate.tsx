import type { ReactNode } from 'react'
import { PublicFrame } from './public-frame.tsx'

interface GateProps {
  title: ReactNode
  lead?: ReactNode
  children?: ReactNode
  /** Below the card: the other ways from here. */
  after?: ReactNode
  wide?: boolean
  /** With search and sign-in in the bar: a page to use, not a question. */
  open?: boolean
}

/** One question on a quiet page: sign in, confirm, claim. */
export function Gate({ title, lead, children, after, wide, open = false }: GateProps) {
  return (
    <PublicFrame plain={!open}>
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
