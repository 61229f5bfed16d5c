import type { ReactNode } from 'react'
import { Card } from '../../components/ui/page-parts.tsx'
import { useRoot } from '../../lib/root-data.ts'
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

type DeadLinkKind = 'expired' | 'replaced' | 'used' | 'confirmed' | 'cancelled' | 'unknown'

const titles: Record<DeadLinkKind, string> = {
  expired: 'This link has expired',
  replaced: 'A newer link was sent',
  used: 'This link has already been used',
  confirmed: 'Your address is already confirmed',
  cancelled: 'This invitation was canceled',
  unknown: 'This link does not work',
}

const leads: Record<DeadLinkKind, string> = {
  expired: 'Links in emails expire after a limited time.',
  replaced: 'Each new link replaces the one before. Open the latest email.',
  used: 'Each link in an email works only once.',
  confirmed: 'The task was completed another way, so you no longer need this link.',
  cancelled: 'The person who invited you canceled it. Ask them for a new invitation.',
  unknown: 'A newer link may have replaced it, or it was copied incompletely. Open the latest email.',
}

interface DeadLinkProps {
  kind: DeadLinkKind
  /** What to do now. */
  children: ReactNode
}

/** A single-use link that opens nothing any more: why, and the one thing to do. */
export function DeadLink({ kind, children }: DeadLinkProps) {
  const { account } = useRoot()
  return (
    <Gate title={titles[kind]} lead={leads[kind]} open={account !== null}>
      <Card padded>{children}</Card>
    </Gate>
  )
}
