import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { PublicIncident } from '../../../server/domain/status/incident-views.ts'
import type { StatusSnapshot } from '../../../server/domain/status/status-page.ts'
import { Card } from '../../components/ui/card.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { StateTag } from '../../shared/status/state-tag.tsx'
import { StageTag } from '../../shared/status/status-incident.tsx'
import { headline } from '../../shared/status/status-words.ts'

interface PlatformNowProps extends Pick<StatusSnapshot, 'platform' | 'starting' | 'reachable'> {
  open: readonly Pick<PublicIncident, 'id' | 'stage' | 'title'>[]
}

/** Nobody has to get up for these. */
const well = ['operational', 'disabled', 'not_available']

/** What is wrong at this moment and what everybody is told of it: the first thing that operations look for. */
export function PlatformNow({ platform, open, ...known }: PlatformNowProps) {
  const { services, checkedAt } = platform
  const troubled = services.filter(({ status }) => !well.includes(status))
  const unchecked = services.filter(({ status }) => status === 'not_available')
  return (
    <Card
      id="platform"
      title={headline({ platform, ...known })}
      aside={
        <Link className="small" to={paths.statusOverrides}>
          Components
        </Link>
      }
    >
      {troubled.length + open.length > 0 && (
        <ul className="pad list">
          {troubled.map(({ id, name, status, summary }) => (
            <li className="row" key={id}>
              <StateTag state={status} />
              <span>
                <b>{name}</b> <span className="muted">{summary}</span>
              </span>
            </li>
          ))}
          {open.map(({ id, stage, title }) => (
            <li className="row" key={id}>
              <StageTag stage={stage} />
              <Link to={paths.staffIncident(id)}>{title}</Link>
            </li>
          ))}
        </ul>
      )}
      <footer className="row between">
        <span>
          {unchecked.length === services.length ? (
            'Nothing was checked recently'
          ) : (
            <>
              Checked <Moment at={checkedAt} as="seconds" />
              {unchecked.length > 0 && `, except ${unchecked.map(({ name }) => name).join(', ')}`}
            </>
          )}
          {open.length === 0 && '; no open incidents'}.
        </span>
        <Link to={paths.staffIncidents}>{open.length === 0 ? 'Report an incident' : 'All incidents'}</Link>
      </footer>
    </Card>
  )
}
