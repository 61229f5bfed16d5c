import { Link } from '@remix-run/react'
import { useDays } from '../../../server/contract/portal/access-use.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { type AccessGroup, accessGroups } from '../../../server/contract/portal/practice-access.ts'
import { suspensionCauses } from '../../../server/contract/workflows/production-key-workflow.ts'
import type { Access } from '../../../server/domain/practices/practice-access.ts'
import type { Services } from '../../../server/services.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { CirclePause, Play, ShieldCheck } from '../../components/ui/icons.ts'
import { Cell, DataTable, ListSearch, Pager, Row } from '../../components/ui/list.tsx'
import { Card, EmptyState, LinkButton, Moment, Tag } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { StateTag } from '../../shared/production-keys/key-state-tag.tsx'
import { findStop, stopPath } from './stops.tsx'

type Entry = Access
type Stops = Awaited<ReturnType<Services['practiceStops']['list']>>['stops']
type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>

interface AccessListProps {
  access: Awaited<ReturnType<Services['practiceConsole']['read']>>
  stops: Stops
  /** The group that is shown; null for all. */
  group: AccessGroup | null
  admin: boolean
  onceKey: string
}

const groupNouns = { keys: 'key', systems: 'backend system', apps: 'connected app' } as const

/** Everything that can access the practice's records, in one table. */
export function AccessList({ access, stops, group, admin, onceKey }: AccessListProps) {
  const { counts, listed } = access
  const total = counts.keys + counts.systems + counts.apps
  if (total === 0)
    return (
      <EmptyState icon={ShieldCheck} title="No outside access yet">
        When a developer requests a key, or a backend system requests access, it is listed under Requests.
        Apps that patients and staff connect appear here, too.
      </EmptyState>
    )
  return (
    <>
      <Summary counts={counts} group={group} />
      {(listed.q !== '' || listed.pages > 1) && <ListSearch label="Name or organization" q={listed.q} />}
      {listed.total === 0 ? (
        <p className="muted">
          {listed.q === '' ? 'None of this kind has access.' : `Nothing matches “${listed.q}”.`}
        </p>
      ) : (
        <Card id="access" title="Keys and apps">
          <DataTable
            label="Keys and apps"
            heads={['Name', 'Purpose', 'Since', 'Last used', 'State']}
            {...(admin && { act: 'Stop' })}
          >
            {listed.rows.map((row) => (
              <AccessRow
                key={`${row.kind} ${row.id}`}
                entry={row}
                stops={stops}
                admin={admin}
                onceKey={onceKey}
              />
            ))}
          </DataTable>
          <Pager label="keys and apps" listed={listed} />
          <footer>
            A key or app you stop is refused at its next request, and you can resume it later. What read
            records in the last {useDays} days stays listed after its access ends.
          </footer>
        </Card>
      )}
    </>
  )
}

/** The size of each group, with a link that shows only that group. */
function Summary({
  counts,
  group,
}: {
  counts: AccessListProps['access']['counts']
  group: AccessGroup | null
}) {
  return (
    <nav className="card three" aria-label="Show">
      {(Object.keys(accessGroups) as AccessGroup[]).map((name) => (
        <Link
          key={name}
          to={name === group ? '?' : `?${new URLSearchParams({ show: name })}`}
          aria-current={name === group || undefined}
          preventScrollReset
        >
          <b>{counts[name].toLocaleString('en-US')}</b>
          <span className="muted">
            {groupNouns[name]}
            {counts[name] !== 1 && 's'}
            {name === group && ' · show all'}
          </span>
        </Link>
      ))}
    </nav>
  )
}

interface RowProps {
  entry: Entry
  stops: Stops
  admin: boolean
  onceKey: string
}

const kindNames = { key: '', other_key: '', system: ', backend system', app: ', app' } as const
const levelVerbs = { read_only: 'Reads records', full: 'Reads and changes records' } as const

function AccessRow({ entry, stops, admin, onceKey }: RowProps) {
  const stop = findStop(stops, entry, entry.kind === 'system' ? entry.clientId : entry.id)
  const keys = entry.kind === 'key' ? entry.keys : entry.kind === 'other_key' ? [entry] : []
  return (
    <Row>
      <Cell>
        {entry.kind === 'key' ? (
          <Link className="label" to={paths.practiceSponsorship(entry.id)}>
            {entry.name}
          </Link>
        ) : (
          <span className="label">{entry.name}</span>
        )}
        <span className="sub">
          {entry.organizationName}
          {kindNames[entry.kind]}
        </span>
        {keys.map(({ id, prefix }) =>
          admin ? (
            <Link className="sub" key={id} to={paths.practiceRecordOf(id)}>
              <code>{prefix}…</code>
              <span className="sr"> Activity of {entry.name}</span>
            </Link>
          ) : (
            <code className="sub" key={id}>
              {prefix}…
            </code>
          ),
        )}
        {admin && keys[0] && (
          <Link className="sub" to={paths.practiceKeyAccess(keys[0].id)}>
            What it can read<span className="sr">: {entry.name}</span>
          </Link>
        )}
      </Cell>
      <Cell label="Purpose">
        {describeAccess(entry)}
        {'purpose' in entry && <span className="sub breaks">{entry.purpose}</span>}
        {entry.kind === 'app' && (
          <span className="sub">
            {entry.ended && 'Was used by '}
            {counted(entry.people, entry.audience)}
          </span>
        )}
      </Cell>
      <Cell label="Since" className="nowrap">
        <Moment at={entry.since} as="date" />
      </Cell>
      <Cell label="Last used">
        {entry.lastUsedAt ? <Moment at={entry.lastUsedAt} /> : 'Never'}
        <Calls entry={entry} admin={admin} />
      </Cell>
      <Cell label="State">
        <State entry={entry} isStopped={stop !== undefined} />
        {entry.kind === 'system' && !entry.ended && <span className="sub">Ends when you revoke it</span>}
      </Cell>
      {admin && (
        <Cell className="act">
          {!entry.ended && <Acts entry={entry} isStopped={stop !== undefined} onceKey={onceKey} />}
        </Cell>
      )}
    </Row>
  )
}

function describeAccess(entry: Entry): string {
  if (entry.kind === 'system')
    return entry.ended ? 'Nothing now. It read records of every patient.' : 'Reads records of every patient'
  if (entry.kind !== 'app') return levelVerbs[entry.level]
  return entry.ended
    ? `Nothing now. It read what each ${entry.audience} allowed.`
    : `Reads what each ${entry.audience} allowed`
}

/** The number of calls, for admins with a link to the figures. */
function Calls({ entry, admin }: Pick<RowProps, 'entry' | 'admin'>) {
  if (entry.calls === 0) return null
  const calls = `${counted(entry.calls, 'request')} in ${useDays} days`
  return (
    <span className="sub">
      {admin ? <Link to={paths.practiceUseOf(entry.subject.kind, entry.subject.id)}>{calls}</Link> : calls}
      {entry.refused > 0 && `, ${entry.refused.toLocaleString('en-US')} refused`}
    </span>
  )
}

function State({ entry, isStopped }: { entry: Entry; isStopped: boolean }) {
  if (entry.kind === 'key')
    return (
      <>
        <StateTag state={entry.state} />
        {!entry.ended && isStopped && <span className="sub">Stopped by you</span>}
        {entry.causes.map((cause) => (
          <span className="sub" key={cause}>
            {cause === 'practice' ? 'Stopped by you' : suspensionCauses[cause].title}
          </span>
        ))}
        {entry.expiresAt && !entry.ended && <Until at={entry.expiresAt} />}
      </>
    )
  // It is listed because it read records recently.
  if (entry.ended) return <Tag>Ended</Tag>
  if (entry.kind !== 'other_key')
    return isStopped ? (
      <Tag tone="bad">Stopped by you</Tag>
    ) : (
      <Tag tone="ok">{entry.kind === 'app' ? 'Allowed' : 'Granted'}</Tag>
    )
  return (
    <>
      <Tag tone={isStopped || entry.suspended ? 'bad' : 'ok'}>
        {isStopped ? 'Stopped by you' : entry.suspended ? 'Stopped' : 'Active'}
      </Tag>
      <Until at={entry.expiresAt} />
    </>
  )
}

const Until = ({ at }: { at: Date }) => (
  <span className="sub">
    Expires <Moment at={at} />
  </span>
)

function Acts({ entry, isStopped, onceKey }: Pick<RowProps, 'entry' | 'onceKey'> & { isStopped: boolean }) {
  if (entry.kind === 'key') return <KeySwitch entry={entry} onceKey={onceKey} />
  return (
    <>
      {!isStopped && (
        <LinkButton
          size="sm"
          look="danger"
          to={stopPath(
            entry.kind === 'other_key' ? 'key' : 'app',
            entry.kind === 'system' ? entry.clientId : entry.id,
          )}
        >
          <CirclePause className="i" />
          Stop<span className="sr"> {entry.name}</span>
        </LinkButton>
      )}
      {entry.kind === 'system' && (
        <LinkButton
          size="sm"
          look="danger"
          to={`${paths.practiceSystems}?${new URLSearchParams({ q: entry.name })}#system-${entry.id}`}
        >
          Revoke<span className="sr"> {entry.name}</span>
        </LinkButton>
      )}
    </>
  )
}

/** One press stops the key or, if the practice has stopped it, resumes it. */
function KeySwitch({ entry: key, onceKey }: { entry: Of<'key'>; onceKey: string }) {
  const isOurs = key.causes.includes('practice')
  const Icon = isOurs ? Play : CirclePause
  return (
    <ActionForm
      className="inline"
      intent={isOurs ? 'reinstate' : 'suspend'}
      version={key.version}
      onceKey={`${onceKey}-${key.id.slice(-6)}`}
      row={{ name: 'request', id: key.id }}
      look={isOurs ? 'outline' : 'danger'}
      size="sm"
      busy={isOurs ? 'Resuming' : 'Stopping'}
      button={
        <>
          <Icon className="i" />
          {isOurs ? 'Resume' : 'Stop'}
          <span className="sr"> {key.name}</span>
        </>
      }
    />
  )
}
