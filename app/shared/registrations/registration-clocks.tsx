import type { RegistrationView } from '../../../server/domain/registrations/read-registration.ts'
import { Clock as ClockIcon, Pause, Square, TriangleAlert } from '../../components/ui/icons.ts'
import { Tag } from '../../components/ui/page-parts.tsx'
import { counted, dateTime } from '../../lib/dates.ts'
import { useRoot } from '../../lib/root-data.ts'

type ClockView = RegistrationView['clocks'][number]

const words = {
  promise: {
    title: 'Our promise to you',
    text: 'We enable the app within five business days of a complete request. The clock pauses while we wait for your answer.',
  },
  authenticity: {
    title: 'Organization check (10 business days)',
    text: '45 CFR 170.404: we verify your organization within ten business days of receipt, whatever else is open. This clock never pauses.',
  },
  enablement: {
    title: 'App enablement (5 business days)',
    text: '45 CFR 170.404: your organization is verified. We enable the app within five business days of that. This clock never pauses.',
  },
} as const

/** Clocks beside each other, each with its due date. */
export function RegistrationClocks({ clocks }: { clocks: readonly ClockView[] }) {
  return (
    <div className="clocks">
      {clocks.map((clock, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: clocks have no other name, and keep their order
        <ClockFace key={place} clock={clock} />
      ))}
    </div>
  )
}

function ClockFace({ clock }: { clock: ClockView }) {
  const { title, text } = words[clock.kind]
  const used = Math.min(clock.usedDays, clock.days)
  const left = Math.max(0, clock.days - clock.usedDays)
  const held = clock.state === 'paused'
  const figure = clock.state === 'stopped' ? clock.usedDays : held ? clock.remainingDays : left
  return (
    <div className="clock">
      <div className="row between">
        <h2>{title}</h2>
        <StateTag clock={clock} />
      </div>
      <p className="big">
        <b>{figure}</b>
        <span>
          {figure === 1 ? 'business day' : 'business days'} {clock.state === 'stopped' ? 'used' : 'left'}
        </span>
      </p>
      <div className="days" aria-hidden="true">
        {Array.from({ length: clock.days }, (_, day) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place
          <i key={day} className={day < used ? 'used' : held ? 'held' : undefined} />
        ))}
      </div>
      <p className="ends">
        <span>Received {clock.receivedOn}</span>
        {clock.state !== 'stopped' && <DueAt at={clock.dueAt} held={held} />}
      </p>
      <p className="small muted">{text}</p>
    </div>
  )
}

function StateTag({ clock }: { clock: ClockView }) {
  if (clock.breachedAt)
    return (
      <Tag tone="bad" icon={TriangleAlert}>
        Overdue
      </Tag>
    )
  if (clock.state === 'paused')
    return (
      <Tag tone="turn" icon={Pause}>
        Paused
      </Tag>
    )
  return clock.state === 'stopped' ? <Tag icon={Square}>Stopped</Tag> : <Tag icon={ClockIcon}>Running</Tag>
}

/** The due date in the office's zone, which defines it, and in the reader's. */
function DueAt({ at, held }: { at: Date; held: boolean }) {
  const { zone, officeZone } = useRoot()
  const office = dateTime(at, officeZone)
  return (
    <span>
      {held ? 'Was due ' : 'Due '}
      <time dateTime={new Date(at).toISOString()}>{office}</time>
      {zone !== officeZone && ` · ${dateTime(at, zone)} your time`}
    </span>
  )
}

/** The pauses of the clocks, each with the business days that were left. */
export function PauseHistory({ clocks }: { clocks: readonly ClockView[] }) {
  const { zone } = useRoot()
  const pauses = clocks.flatMap((clock) => clock.pauses)
  if (pauses.length === 0) return null
  return (
    <details>
      <summary>Pause history</summary>
      <ul className="list mt-3">
        {pauses.map(({ pausedAt, resumedAt, remainingDays }) => (
          <li key={new Date(pausedAt).toISOString()}>
            Paused from {dateTime(pausedAt, zone)}{' '}
            {resumedAt ? `to ${dateTime(resumedAt, zone)}` : 'until now'}, with{' '}
            {counted(remainingDays, 'business day')} left.
          </li>
        ))}
      </ul>
    </details>
  )
}
