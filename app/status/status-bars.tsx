import { componentStates } from '../../server/contract/status/components.ts'
import { type HistoryDay, workedShare } from '../../server/contract/status/history.ts'
import { counted, date } from '../lib/dates.ts'
import { stateWords } from '../shared/status/state-tag.tsx'

const step = 10
const width = 6
const height = 28
/** A bad minute is at least this high, so it is visible. A shorter gap than `gapShown`, as of a restart, is not drawn. */
const least = 3
const gapShown = 0.02
/** Degraded bars are narrower on each side, because color alone must not show the state. */
const slim = 1.5

/** The least number of places, because the bars of a single week would be very wide. */
const leastPlaces = 30

/**
 * One bar a day: how much of it was checked, and how much of that was affected. Text says the same. With fewer than
 * `leastPlaces` days the last bar is at the right edge.
 */
export function StatusBars({ name, days }: { name: string; days: readonly HistoryDay[] }) {
  const places = Math.max(days.length, leastPlaces)
  const blank = places - days.length
  return (
    <svg
      className="uptime"
      // On narrow screens, where the latest fill the row: see status.css.
      width={`${(100 * places) / leastPlaces}%`}
      viewBox={`0 0 ${places * step - 4} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${name}, last ${counted(days.length, 'day')}: ${describeDays(days)}`}
    >
      {days.map((day, place) => (
        <Bar key={day.day} day={day} x={(blank + place) * step} />
      ))}
    </svg>
  )
}

function Bar({ day, x }: { day: HistoryDay; x: number }) {
  const seen = sumOf(day)
  const all = seen + day.noDataMinutes
  const gap = seen === 0 || all === 0 ? 1 : day.noDataMinutes / all
  if (gap === 1) return <Rect kind="x" x={x} y={0} height={height} />
  const tall = gap > gapShown ? Math.max(least, Math.round(height * (1 - gap))) : height
  const affected = Math.round((tall * troubledMinutes(day)) / seen)
  const bad = day.worst === 'down' || day.worst === 'major_outage' || day.worst === 'partial_outage'
  const drawn = troubledMinutes(day) > 0 ? Math.min(tall, Math.max(least, affected)) : 0
  return (
    <g>
      {(drawn > 0 || gap > gapShown) && <title>{`${dayWords(day)}: ${describeDay(day)}`}</title>}
      {tall < height && <Rect kind="x" x={x} y={0} height={height - tall} />}
      <Rect kind={drawn > 0 || day.worst === 'disabled' ? 'm' : 'u'} x={x} y={height - tall} height={tall} />
      {drawn > 0 && <Rect kind={bad ? 'o' : 'd'} x={x} y={height - drawn} height={drawn} />}
    </g>
  )
}

/** `u` worked, `m` the ground of a day that did not all work, `o` outage, `d` less than that, `x` no data. */
function Rect({ kind, x, y, height: tall }: { kind: string; x: number; y: number; height: number }) {
  const inset = kind === 'x' ? 0.5 : 0
  const side = kind === 'd' ? slim : inset
  return (
    <rect
      className={kind}
      x={x + side}
      y={y + inset}
      width={width - 2 * side}
      height={Math.max(0, tall - 2 * inset)}
      rx="1.5"
    />
  )
}

/** What the shapes mean. */
export function BarKey() {
  return (
    <div className="bar-key small muted">
      <Sample words="worked">
        <rect className="u" width="7" height="16" rx="1.5" />
      </Sample>
      <Sample words="degraded or maintenance">
        <rect className="m" width="7" height="16" rx="1.5" />
        <rect className="d" x="1.75" y="7" width="3.5" height="9" rx="1.5" />
      </Sample>
      <Sample words="outage">
        <rect className="m" width="7" height="16" rx="1.5" />
        <rect className="o" y="7" width="7" height="9" rx="1.5" />
      </Sample>
      <Sample words="off on purpose">
        <rect className="m" width="7" height="16" rx="1.5" />
      </Sample>
      <Sample words="no data">
        <rect className="x" x=".5" y=".5" width="6" height="15" rx="1.5" />
      </Sample>
    </div>
  )
}

function Sample({ words, children }: { words: string; children: React.ReactNode }) {
  return (
    <span>
      <svg className="uptime" viewBox="0 0 7 16" aria-hidden="true">
        {children}
      </svg>
      {words}
    </span>
  )
}

const sumOf = ({ minutes }: HistoryDay) =>
  componentStates.reduce((sum, state) => sum + (minutes[state] ?? 0), 0)

const troubledMinutes = (day: HistoryDay) =>
  sumOf(day) - (day.minutes.operational ?? 0) - (day.minutes.disabled ?? 0)

/** `23 Aug 2026`, or nothing if there is no day. */
export const dayWords = (day: HistoryDay | undefined) => (day ? date(`${day.day}T00:00:00Z`, 'UTC') : '')

/** `99.98 % of checked minutes worked`; where there is little room, with the rest said elsewhere. */
export function workedWords(
  days: readonly HistoryDay[],
  what = 'of checked minutes without problems',
): string {
  const share = workedShare(days)
  if (share === null) return days.some(({ worst }) => worst === 'disabled') ? 'Off on purpose' : 'Not checked'
  // Rounded down, so 100 % means every minute.
  const percent = share === 1 ? '100' : (Math.floor(share * 10_000) / 100).toFixed(2)
  return `${percent} % ${what}`
}

/** The bars in words. */
export function describeDays(days: readonly HistoryDay[]): string {
  const troubled = days.filter((day) => troubledMinutes(day) > 0)
  const empty = days.filter(({ worst }) => worst === null).length
  return [
    workedWords(days),
    troubled.length === 0 ? 'no problems' : `problems in ${counted(troubled.length, 'day')}`,
    empty === 0 ? 'data for every day' : `no data for ${counted(empty, 'day')}`,
  ].join('; ')
}

/** `59 min`, `2 h`, `22 h 30 min`. */
function minutesWords(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')
}

/** A day in words: `down 12 min, degraded 3 min, no data 40 min`. */
export function describeDay(day: HistoryDay): string {
  const parts = componentStates
    .filter((state) => (day.minutes[state] ?? 0) > 0)
    .map((state) => `${stateWords(state).toLowerCase()} ${minutesWords(day.minutes[state] ?? 0)}`)
  if (day.noDataMinutes > 0) parts.push(`no data ${minutesWords(day.noDataMinutes)}`)
  return parts.join(', ')
}
