import type { PromiseWeek } from '../../../server/domain/review-queue/workload.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { officeDay } from './office-day.ts'

const heads = [
  'Week from',
  'Requests',
  <Head key="within" part="within" label="In time" />,
  <Head key="late" part="late" label="Late" />,
  <Head key="open" part="open" label="Open" />,
]

/** Requests by the week in which they were received: decided in time, late, and open. The table says what the bars show. */
export function PromiseChart({ weeks }: { weeks: readonly PromiseWeek[] }) {
  const most = Math.max(1, ...weeks.map(({ within, late, open }) => within + late + open))
  const sum = (part: 'within' | 'late' | 'open') => weeks.reduce((total, week) => total + week[part], 0)
  return (
    <Card id="promise" title="Our promise: a decision in five business days">
      <p className="pad">
        Last {weeks.length} weeks: {counted(sum('within'), 'request')} decided in time, {sum('late')} late,{' '}
        {sum('open')} open and in time.
      </p>
      <DataTable label="Promise by week" heads={heads}>
        {fromFirstRequest(weeks).map((week) => (
          <Row key={week.week}>
            <Cell label="Week from">
              <span className="nowrap">{officeDay(week.week)}</span>
            </Cell>
            <Cell className="promise-bar">
              <Bar week={week} most={most} />
            </Cell>
            <Cell label="In time">{week.within}</Cell>
            <Cell label="Late">{week.late}</Cell>
            <Cell label="Open">{week.open}</Cell>
          </Row>
        ))}
      </DataTable>
      <footer>Requests withdrawn before a decision are not counted.</footer>
    </Card>
  )
}

const weeksAtLeast = 4

/** A young service has no weeks before its first request to show. */
function fromFirstRequest(weeks: readonly PromiseWeek[]): readonly PromiseWeek[] {
  const first = weeks.findIndex(({ within, late, open }) => within + late + open > 0)
  const start = first === -1 ? weeks.length : first
  return weeks.slice(Math.max(0, Math.min(start, weeks.length - weeksAtLeast)))
}

/** The color of a part of the bars, beside its name. */
function Head({ part, label }: { part: string; label: string }) {
  return (
    <span className="row">
      <svg className="promise-key" viewBox="0 0 10 10" aria-hidden="true">
        <rect className={part} width="10" height="10" />
      </svg>
      {label}
    </span>
  )
}

function Bar({ week: { within, late, open }, most }: { week: PromiseWeek; most: number }) {
  const parts = [
    ['within', within],
    ['late', late],
    ['open', open],
  ] as const
  let x = 0
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect className="ground" width="100" height="10" />
      {parts.map(([part, count]) => {
        const width = (count / most) * 100
        const shape = <rect key={part} className={part} x={x} width={width} height="10" />
        x += width
        return count > 0 && shape
      })}
    </svg>
  )
}
