import type { QueueClock } from '../../../server/domain/review-queue/details.ts'
import { Moment, Tag } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'

/** When a request is due, and how many of its business days are used. */
export function RequestClock({ clock, strip }: { clock: QueueClock | null; strip?: boolean }) {
  if (!clock) return <span className="muted">No deadline</span>
  const { state, days, usedDays, remainingDays, dueAt, overdue } = clock
  return (
    <>
      <span className="label">
        {state === 'paused' ? (
          `Paused, ${counted(remainingDays, 'day')} left`
        ) : (
          <Moment at={dueAt} as="deadline" />
        )}
      </span>
      {strip && <DayStrip clock={clock} />}
      <span className="sub">
        {overdue ? (
          <Tag tone="bad" bare>
            Overdue
          </Tag>
        ) : (
          `${usedDays} of ${counted(days, 'day')} used`
        )}
      </span>
    </>
  )
}

function DayStrip({ clock: { days, usedDays, state } }: { clock: QueueClock }) {
  return (
    <span className="days thin" aria-hidden="true">
      {Array.from({ length: days }, (_, day) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place
        <i key={day} className={day < usedDays ? 'used' : state === 'paused' ? 'held' : undefined} />
      ))}
    </span>
  )
}
