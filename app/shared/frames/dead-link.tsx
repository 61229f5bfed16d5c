import type { ReactNode } from 'react'
import { Card } from '../../components/ui/card.tsx'
import { Gate } from './gate.tsx'

type DeadLinkKind = 'expired' | 'used' | 'confirmed' | 'cancelled' | 'unknown'

const titles: Record<DeadLinkKind, string> = {
  expired: 'This link has ended',
  used: 'This link was used already',
  confirmed: 'Your address is confirmed already',
  cancelled: 'This invitation was taken back',
  unknown: 'This link does not work',
}

const leads: Record<DeadLinkKind, string> = {
  expired: 'Links of mails live for a limited time only.',
  used: 'Each link of a mail works once.',
  confirmed: 'It happened another way, so this link is not needed any more.',
  cancelled: 'Whoever invited you cancelled it. Ask them for a new one.',
  unknown:
    'A newer link may have taken its place, or it was cut off when it was copied. Open the newest mail.',
}

interface DeadLinkProps {
  kind: DeadLinkKind
  /** What to do now. */
  children: ReactNode
}

/** A single-use link that opens nothing any more: why, and the one thing to do. */
export function DeadLink({ kind, children }: DeadLinkProps) {
  return (
    <Gate title={titles[kind]} lead={leads[kind]}>
      <Card padded>{children}</Card>
    </Gate>
  )
}
