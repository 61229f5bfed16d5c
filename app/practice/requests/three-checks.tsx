import type { ReactNode } from 'react'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { Building2, CalendarClock, type LucideIcon, ShieldCheck } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { dataClassLabels } from '../../shared/keys/key-words.tsx'

const reach = {
  read_only: 'for all your patients. The company could not change anything.',
  full: 'for all your patients. The company could also add patients, visits and documents.',
} as const

interface ThreeChecksProps {
  view: ProductionKeyView
  history: NonNullable<ProductionKeyView['history']>
}

/** Three things to check about a key request: the company, the access and the duration. */
export function ThreeChecks({ view, history }: ThreeChecksProps) {
  const { memberSince, domains, worksElsewhere, revokedByOthers } = history
  return (
    <ol className="checks">
      <Check icon={Building2} question={`Do you work with ${view.organization.name}?`}>
        {view.requestedBy} sent the request. Confirmed web domain: <b>{domains.join(', ') || 'none'}</b>.
        Registered with Sandpiper since <Moment at={memberSince} as="date" />.{' '}
        {worksElsewhere === 0
          ? 'No keys at other practices'
          : `${counted(worksElsewhere, 'key')} at other practices`}
        ; {revokedByOthers > 0 ? counted(revokedByOthers, 'key') : 'none'} stopped by others.
      </Check>
      <Check icon={ShieldCheck} question="Is this the access you agreed to?">
        <b>{dataClassLabels(view.dataClasses)}</b>, {reach[view.level]} The company’s reason: “
        {view.justification}”
      </Check>
      <Check icon={CalendarClock} question="Is the duration right?">
        Access lasts {counted(view.termDays, 'day')} from the day the company claims its key. You can stop the
        key at any time, and it stops at its next request.
      </Check>
    </ol>
  )
}

interface CheckProps {
  icon: LucideIcon
  question: string
  children: ReactNode
}

function Check({ icon: Icon, question, children }: CheckProps) {
  return (
    <li>
      <Icon className="i" />
      <div>
        <p className="label">{question}</p>
        <p className="breaks">{children}</p>
      </div>
    </li>
  )
}
