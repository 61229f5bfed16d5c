import type { ReactNode } from 'react'
import { Building2, CalendarClock, type LucideIcon, ShieldCheck } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { dataClassLabels } from '../../shared/keys/key-words.tsx'

export interface Checked {
  organizationName: string
  requestedBy: string
  memberSince: Date
  domains: readonly string[]
  level: 'read_only' | 'full'
  /** None: all of a patient's record, as keys had it before classes. */
  dataClasses: readonly string[]
  justification: string
  termDays: number
  /** Known where the request is shown by itself. */
  record?: { worksElsewhere: number; revokedByOthers: number }
}

const reach = {
  read_only: 'for all your patients. The company could not change anything.',
  full: 'for all your patients. The company could also add patients, visits and documents.',
} as const

/** What to check about a request for a key, in three lines: who asks, what for, how long. */
export function ThreeChecks({ of }: { of: Checked }) {
  const { organizationName, requestedBy, memberSince, domains, level, dataClasses: classes } = of
  const { justification, termDays, record } = of
  return (
    <ol className="checks">
      <Check icon={Building2} question={`Do you work with ${organizationName}?`}>
        {requestedBy} sent the request. Confirmed web domain: <b>{domains.join(', ') || 'none'}</b>.
        Registered with Sandpiper since <Moment at={memberSince} as="date" />.
        {record && ` ${recordOf(record)}`}
      </Check>
      <Check icon={ShieldCheck} question="Is this the access you agreed to?">
        <b>{dataClassLabels(classes)}</b>, {reach[level]} The company’s reason: “{justification}”
      </Check>
      <Check icon={CalendarClock} question="Is the duration right?">
        Access lasts {counted(termDays, 'day')} from the day the company claims its key. You can stop the key
        at any time, and it stops at its next request.
      </Check>
    </ol>
  )
}

function recordOf({ worksElsewhere, revokedByOthers }: NonNullable<Checked['record']>): string {
  const others =
    worksElsewhere === 0
      ? 'No keys at other practices'
      : `${counted(worksElsewhere, 'key')} at other practices`
  return `${others}; ${revokedByOthers > 0 ? counted(revokedByOthers, 'key') : 'none'} stopped by others.`
}

function Check({
  icon: Icon,
  question,
  children,
}: {
  icon: LucideIcon
  question: string
  children: ReactNode
}) {
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
