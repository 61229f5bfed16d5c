import type { ChartList as ListedChart } from '../../../server/lab/sandbox/chart-view.ts'
import { Tag, type Tone } from '../../components/ui/tag.tsx'

interface ChartListProps {
  title: string
  list: ListedChart
  resourceTo: (type: string, id: string) => string
}

/** One list of a chart, the newest first, each with the way to its JSON; nothing where there is none. */
export function ChartList({ title, list: { items, total }, resourceTo }: ChartListProps) {
  if (total === 0) return null
  const id = `list-${title.toLowerCase()}`
  return (
    <section className="card" aria-labelledby={id}>
      <div className="head row between">
        <h2 id={id}>{title}</h2>
        <span className="small muted">
          {items.length < total
            ? `the newest ${items.length} of ${total}`
            : `${total} ${total === 1 ? 'entry' : 'entries'}`}
        </span>
      </div>
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
    </section>
  )
}

/** As it is recorded, without the hour. */
export function dayOf(date: string | null): string | null {
  return date === null ? null : date.slice(0, 10)
}

function toneOf(status: string): Tone {
  return status === 'active' || status === 'in-progress' || status === 'current' ? 'teal' : 'quiet'
}
