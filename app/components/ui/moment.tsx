import { date, dateTime, dateTimeSeconds, time } from '../../lib/dates.ts'
import { useRoot } from '../../lib/root-data.ts'

const formats = {
  full: dateTime,
  seconds: dateTimeSeconds,
  date,
  time,
  deadline: dateTime,
}

interface MomentProps {
  at: Date | string
  /**
   * `full` names weekday, hour and zone. `deadline`: the end of a business day, or of an agreement's day, in the zone
   * in which it was counted, as everybody else reads it too. `date`: a day that is past, where the hour does not
   * matter; its zone shows on hovering. What ends or is due is never a bare date: the day may be another one elsewhere.
   */
  as?: keyof typeof formats
}

/** A point in time, in the visitor's zone. */
export function Moment({ at, as = 'full' }: MomentProps) {
  const root = useRoot()
  const zone = as === 'deadline' ? root.officeZone : root.zone
  return (
    <time dateTime={new Date(at).toISOString()} title={as === 'date' ? dateTime(at, zone) : undefined}>
      {formats[as](at, zone)}
    </time>
  )
}
