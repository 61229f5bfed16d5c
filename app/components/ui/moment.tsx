import { date, dateTime, dateTimeSeconds, time } from '../../dates.ts'
import { useRoot } from '../../root-data.ts'

const formats = { full: dateTime, seconds: dateTimeSeconds, date, time }

interface MomentProps {
  at: Date | string
  /** `full` names weekday, hour and zone; `date` where the hour does not matter. */
  as?: keyof typeof formats
}

/** A point in time, in the visitor's zone. */
export function Moment({ at, as = 'full' }: MomentProps) {
  const { zone } = useRoot()
  return <time dateTime={new Date(at).toISOString()}>{formats[as](at, zone)}</time>
}
