import type { ReactNode } from 'react'
import { Card } from '../../components/ui/page-parts.tsx'
import { useRoot } from '../../lib/root-data.ts'
import { PublicFrame } from './public-frame.tsx'

interface GateProps {
  title: ReactNode
  lead?: ReactNode
  children?: ReactNode
  /** Other links, below the card. */
  after?: ReactNode
  wide?: boolean
  /** Shows search and sign-in in the top bar. */
  open?: boolean
}

/** A page with a single form, such as a sign-in or a confirmation. */
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
  /** The next step. */
  children: ReactNode
}

/** Explains why a single-use link no longer works, and what to do. */
export function DeadLink({ kind, children }: DeadLinkProps) {
  const { account } = useRoot()
  return (
    <Gate title={titles[kind]} lead={leads[kind]} open={account !== null}>
      <Card padded>{children}</Card>
    </Gate>
  )
}
