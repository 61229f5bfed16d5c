import { paths } from '../../../server/contract/portal/paths.ts'
import {
  type IncidentKind,
  type IncidentStage,
  stageWords,
} from '../../../server/contract/status/incidents.ts'
import type { PublicIncident } from '../../../server/domain/status/incident-views.ts'
import { CircleCheck, CircleDot, Eye, Search, Wrench } from '../../components/ui/icons.ts'
import { Moment, Tag } from '../../components/ui/page-parts.tsx'
import { Timeline } from '../../components/ui/timeline.tsx'
import { counted } from '../../lib/dates.ts'

const icons: Record<IncidentStage, typeof Search> = {
  investigating: Search,
  identified: CircleDot,
  monitoring: Eye,
  resolved: CircleCheck,
  scheduled: CircleDot,
  in_progress: Wrench,
  completed: CircleCheck,
}

const tones: Record<IncidentStage, 'quiet' | 'teal' | 'ok'> = {
  investigating: 'quiet',
  identified: 'quiet',
  monitoring: 'teal',
  resolved: 'ok',
  scheduled: 'teal',
  in_progress: 'teal',
  completed: 'ok',
}

export function StageTag({ stage }: { stage: IncidentStage }) {
  return (
    <Tag tone={tones[stage]} icon={icons[stage]}>
      {stageWords[stage]}
    </Tag>
  )
}

const updatesShown = 3

/** An open or scheduled incident with its latest updates. */
export function OpenIncident({ incident }: { incident: PublicIncident }) {
  const { id, stage, title, updates } = incident
  const earlier = updates.length - updatesShown
  return (
    <section className="card" aria-labelledby={`incident-${id}`}>
      <div className="head">
        <div className="row">
          <StageTag stage={stage} />
          <h2 id={`incident-${id}`}>
            <a href={paths.statusIncident(id)}>{title}</a>
          </h2>
        </div>
        <span className="small muted">
          <IncidentTimes incident={incident} />
        </span>
      </div>
      <div className="pad stack">
        <p className="small muted">Affected: {namesOf(incident)}</p>
        <IncidentUpdates incident={{ ...incident, updates: updates.slice(0, updatesShown) }} />
        {earlier > 0 && (
          <p>
            <a href={paths.statusIncident(id)}>
              {counted(earlier, 'earlier update')}
              <span className="sr"> of {title}</span>
            </a>
          </p>
        )}
      </div>
    </section>
  )
}

export function IncidentUpdates({ incident }: { incident: PublicIncident }) {
  return (
    <Timeline
      entries={incident.updates.map(({ id, stage, text, at, editedAt }) => ({
        key: id,
        icon: icons[stage],
        text: (
          <>
            <b>{stageWords[stage]}.</b> {text}
          </>
        ),
        at: (
          <>
            <Moment at={at} />
            {editedAt && (
              <span className="small muted">
                {' '}
                · edited <Moment at={editedAt} />
              </span>
            )}
          </>
        ),
      }))}
    />
  )
}

/** The start and the end of an incident; for maintenance, the planned end. */
export function IncidentTimes({
  incident: { kind, stage, startsAt, endsAt, endedAt },
}: {
  incident: PublicIncident
}) {
  if (endedAt !== null)
    return (
      <>
        <Moment at={startsAt} /> to <Moment at={endedAt} />
      </>
    )
  if (kind === 'maintenance' && endsAt !== null)
    return (
      <>
        {stage === 'scheduled' ? 'Starts' : 'Started'} <Moment at={startsAt} />, planned until{' '}
        <Moment at={endsAt} />
      </>
    )
  return (
    <>
      Since <Moment at={startsAt} />
    </>
  )
}

export const namesOf = ({ components }: PublicIncident) => components.map(({ name }) => name).join(', ')
export const kindWords: Record<IncidentKind, string> = { incident: 'Incident', maintenance: 'Maintenance' }

/** A closed incident in a few lines. */
export function PastIncident({ incident }: { incident: PublicIncident }) {
  const { id, title, updates } = incident
  return (
    <article className="stack hair">
      <h3>
        <a href={paths.statusIncident(id)}>{title}</a>
      </h3>
      <p className="muted">
        <IncidentTimes incident={incident} />. {namesOf(incident)}.{updates[0] && ` ${updates[0].text}`}
      </p>
    </article>
  )
}
