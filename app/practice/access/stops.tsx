import type { Access } from '../../../server/domain/practices/practice-access.ts'
import type { Services } from '../../../server/services.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { Field } from '../../components/ui/form.tsx'
import { Ban, CirclePause } from '../../components/ui/icons.ts'
import { Banner, Card, LinkButton, Moment } from '../../components/ui/page-parts.tsx'

type Listed = Awaited<ReturnType<Services['practiceStops']['list']>>
type Stop = Listed['stops'][number]

/** The stop that covers a row of the list; undefined if none does. */
export function findStop(
  stops: readonly Stop[],
  row: Pick<Access, 'organizationId'>,
  rowId: string,
): Stop | undefined {
  return stops.find(
    ({ scope, targetId }) =>
      scope === 'everything' ||
      targetId === rowId ||
      (scope === 'organization' && targetId === row.organizationId),
  )
}

/** The page's URL with the form that stops this access. */
export const stopPath = (scope: string, target?: string) =>
  `?${new URLSearchParams({ stop: scope, ...(target && { target }) })}`

const titleOf = ({ scope, name }: Pick<Stop, 'scope' | 'name'>) => {
  if (scope === 'everything') return 'All access'
  return scope === 'organization' ? `All keys and apps of ${name}` : `“${name}”`
}

function ResumeForm({ stop, button, onceKey }: { stop: Stop; button: string; onceKey: string }) {
  return (
    <ActionForm
      className="inline"
      intent="resume"
      version={0}
      onceKey={`${onceKey}-${stop.id.slice(-6)}`}
      row={{ name: 'stop', id: stop.id }}
      size="sm"
      busy="Resuming"
      button={button}
      about={titleOf(stop)}
    />
  )
}

interface StoppedProps {
  stops: readonly Stop[]
  admin: boolean
  onceKey: string
}

/** Every stop that has not ended, with a form to resume access. */
export function Stopped({ stops, admin, onceKey }: StoppedProps) {
  const all = stops.find(({ scope }) => scope === 'everything')
  const others = stops.filter((stop) => stop !== all)
  return (
    <>
      {all && (
        <Banner
          tone="bad"
          title="All access is stopped."
          action={admin && <ResumeForm stop={all} button="Resume access" onceKey={`${onceKey}-all`} />}
        >
          Since <Moment at={all.startedAt} />, by {all.startedBy}. Reason: {all.reason}
        </Banner>
      )}
      {others.length > 0 && (
        <Card title="Stopped by your practice">
          <ul className="pad list">
            {others.map((stop) => (
              <li key={stop.id} className="row between">
                <div>
                  <span className="label">{titleOf(stop)}</span>
                  <p className="small muted breaks">
                    Since <Moment at={stop.startedAt} />, by {stop.startedBy}. Reason: {stop.reason}
                  </p>
                </div>
                {admin && <ResumeForm stop={stop} button="Resume" onceKey={onceKey} />}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

interface StopFormProps {
  stop: { scope: Stop['scope']; target: string; name: string }
  onceKey: string
}

/** The form to stop access. To stop all access, a person must also enter the practice's name. */
export function StopForm({ stop, onceKey }: StopFormProps) {
  const isAll = stop.scope === 'everything'
  return (
    <ActionForm
      intent={isAll ? 'stopEverything' : 'stop'}
      version={0}
      onceKey={`${onceKey}-stop`}
      title={isAll ? 'Stop all access?' : `Stop ${titleOf(stop)}?`}
      text={
        isAll
          ? 'Every key and app loses access at its next request, also those that get access later. You can resume access.'
          : 'The next request is refused. You can resume access.'
      }
      look="danger"
      button={isAll ? 'Stop all access' : 'Stop access'}
      busy="Stopping"
      reason="Reason"
      reasonHint="10 to 500 characters. The organization’s owners and admins get it by email."
    >
      {isAll ? (
        <Field name="confirmName" label="Name of the practice" hint={`Enter “${stop.name}” to confirm.`} />
      ) : (
        <>
          <input type="hidden" name="scope" value={stop.scope} />
          <input type="hidden" name="target" value={stop.target} />
        </>
      )}
    </ActionForm>
  )
}

/** Links that stop everything of one organization, or all access. */
export function StopMore({ stops, organizations }: Listed) {
  const isStopped = (id: string) => stops.some(({ targetId }) => targetId === id)
  const open = organizations.filter(({ id }) => !isStopped(id))
  if (stops.some(({ scope }) => scope === 'everything')) return null
  return (
    <Card title="Stop more">
      <ul className="pad list">
        {open.map(({ id, name }) => (
          <li key={id} className="row between">
            <span>All keys and apps of {name}</span>
            <LinkButton size="sm" look="danger" to={stopPath('organization', id)}>
              <CirclePause className="i" />
              Stop<span className="sr"> all keys and apps of {name}</span>
            </LinkButton>
          </li>
        ))}
        <li className="row between">
          <span>Every key and app of every organization</span>
          <LinkButton size="sm" look="danger" to={stopPath('everything')}>
            <Ban className="i" />
            Stop all access
          </LinkButton>
        </li>
      </ul>
    </Card>
  )
}
