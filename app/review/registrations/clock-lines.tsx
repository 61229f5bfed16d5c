import type { Clock } from '../../../server/domain/registrations/registration-types.ts'
import { Card } from '../../components/ui/card.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { counted } from '../../lib/dates.ts'
import { PauseHistory } from '../../shared/registrations/registration-clocks.tsx'

const names = {
  promise: 'Our promise: enabled in five business days',
  authenticity: 'Rule: organization verified',
  enablement: 'Rule: app enabled',
} as const

/** Every clock in a line or two, beside the decision. */
export function ClockLines({ clocks }: { clocks: readonly Clock[] }) {
  if (clocks.length === 0) return null
  return (
    <Card padded="tight" id="clocks" title="Clocks">
      <ul className="stack tight plain">
        {clocks.map((clock, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: clocks have no other name, and keep their order
          <li key={place}>
            <span className="row between">
              <b>{names[clock.kind]}</b>
              {clock.breachedAt && <Tag tone="bad">Overdue</Tag>}
            </span>
            <ClockLine clock={clock} />
          </li>
        ))}
      </ul>
      <PauseHistory clocks={clocks} />
    </Card>
  )
}

function ClockLine({ clock }: { clock: Clock }) {
  const used = `${clock.usedDays} of ${counted(clock.days, 'business day')} used`
  if (clock.state === 'stopped') return <p className="muted">Stopped, {used}.</p>
  if (clock.state === 'paused')
    return <p className="muted">Paused, {counted(clock.remainingDays, 'business day')} left.</p>
  return (
    <p className="muted">
      Due <Moment at={clock.dueAt} as="deadline" />. {used}.
    </p>
  )
}
