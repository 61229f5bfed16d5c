import type { ChartList as ListedChart } from '../../../server/lab/sandbox/chart-view.ts'
import type { Series } from '../../../server/lab/sandbox/series.ts'
import { Card, Moment, Tag, type Tone } from '../../components/ui/page-parts.tsx'

const width = 200
const height = 72
const margin = 6

/** One kind of measurement: the newest value, and all of them as a line over the normal range. */
export function SeriesCard({ series, resourceTo }: { series: Series; resourceTo: (id: string) => string }) {
  const { title, unit, lines, band } = series
  const newest = lines[0]?.at(-1)
  if (newest === undefined) return null
  const value = lines.map((line) => line.at(-1)?.value ?? '–').join('/')
  const readings = lines[0]?.length ?? 0
  return (
    <article className="vital">
      <div className="row between top">
        <h3>{title}</h3>
        <a className="small" href={resourceTo(newest.id)}>
          JSON<span className="sr"> of the newest: {title}</span>
        </a>
      </div>
      <p className="big">
        <b>{value}</b> <span className="muted">{unit}</span>
      </p>
      {readings > 1 && (
        <Line series={series} label={`${title}, ${readings} readings, newest ${value} ${unit}`} />
      )}
      <p className="small muted">
        <Moment at={newest.at} as="date" />
        {readings > 1 && `, ${readings} readings`}
        {band && `, range ${rangeOf(band)}`}
      </p>
    </article>
  )
}

function rangeOf({ low, high }: { low: number | null; high: number | null }): string {
  if (low === null) return `up to ${high}`
  return high === null ? `from ${low}` : `${low} to ${high}`
}

function Line({ series: { lines, band }, label }: { series: Series; label: string }) {
  const all = lines.flat()
  const times = all.map(({ at }) => Date.parse(at))
  const values = [...all.map(({ value }) => value), ...[band?.low, band?.high].filter((each) => each != null)]
  const x = scale([Math.min(...times), Math.max(...times)], [margin, width - margin])
  const y = scale([Math.min(...values), Math.max(...values)], [height - margin, margin])
  const low = band?.low == null ? height : y(band.low)
  const high = band?.high == null ? 0 : y(band.high)
  return (
    <svg className="vit" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {band && <rect className="band" x={0} y={high} width={width} height={Math.max(1, low - high)} />}
      {lines.map((line) => {
        const points = line.map(({ at, value, id }) => ({ id, x: x(Date.parse(at)), y: y(value) }))
        const last = points.at(-1)
        return (
          <g key={line[0]?.value}>
            <polyline points={points.map((point) => `${point.x},${point.y}`).join(' ')} />
            {last && <circle cx={last.x} cy={last.y} r={3.2} />}
          </g>
        )
      })}
    </svg>
  )
}

/** In proportion, to a tenth; the middle where all are the same. */
function scale(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): (value: number) => number {
  return (value) =>
    to === from
      ? (start + end) / 2
      : Math.round((start + ((value - from) / (to - from)) * (end - start)) * 10) / 10
}

interface ChartListProps {
  title: string
  list: ListedChart
  resourceTo: (type: string, id: string) => string
}

/** One list of a chart, the newest first, each with the way to its JSON; nothing where there is none. */
export function ChartList({ title, list: { items, total }, resourceTo }: ChartListProps) {
  if (total === 0) return null
  const shown =
    items.length < total
      ? `the newest ${items.length} of ${total}`
      : `${total} ${total === 1 ? 'entry' : 'entries'}`
  return (
    <Card
      id={`list-${title.toLowerCase()}`}
      title={title}
      aside={<span className="small muted">{shown}</span>}
    >
      <ul className="pad chart-list">
        {items.map((item) => (
          <li key={`${item.type}/${item.id}`}>
            <div className="row between top flex-nowrap">
              <span className="label breaks">{item.title}</span>
              {item.status && <Tag tone={toneOf(item.status)}>{item.status}</Tag>}
            </div>
            <p className="small muted">
              {[item.detail, dayOf(item.date)].filter(Boolean).join(', ')}{' '}
              <a href={resourceTo(item.type, item.id)}>
                {item.type}
                <span className="sr"> of {item.title}</span>
              </a>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** As it is recorded, without the hour. */
function dayOf(date: string | null): string | null {
  return date === null ? null : date.slice(0, 10)
}

function toneOf(status: string): Tone {
  return status === 'active' || status === 'in-progress' || status === 'current' ? 'teal' : 'quiet'
}
