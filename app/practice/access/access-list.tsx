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
  /** The one that is shown; null: all. */
  group: AccessGroup | null
  admin: boolean
  onceKey: string
}

const groupNouns = { keys: 'key', systems: 'backend system', apps: 'connected app' } as const

/** Everything that reaches the practice, in one table. */
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
                of={row}
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

/** How many of each group; each is a link that shows that group alone. */
function Summary({
  counts,
  group,
}: {
  counts: AccessListProps['access']['counts']
  group: AccessGroup | null
}) {
  return (
    <nav className="card three" aria-label="Show">
      {(Object.keys(accessGroups) as AccessGroup[]).map((each) => (
        <Link
          key={each}
          to={each === group ? '?' : `?${new URLSearchParams({ show: each })}`}
          aria-current={each === group || undefined}
          preventScrollReset
        >
          <b>{counts[each].toLocaleString('en-US')}</b>
          <span className="muted">
            {groupNouns[each]}
            {counts[each] !== 1 && 's'}
            {each === group && ' · show all'}
          </span>
        </Link>
      ))}
    </nav>
  )
}

interface RowProps {
  of: Entry
  stops: Stops
  admin: boolean
  onceKey: string
}

const kindNames = { key: '', other_key: '', system: ', backend system', app: ', app' } as const
const levelVerbs = { read_only: 'Reads records', full: 'Reads and changes records' } as const

function AccessRow({ of, stops, admin, onceKey }: RowProps) {
  const stop = findStop(stops, of, of.kind === 'system' ? of.clientId : of.id)
  const keys = of.kind === 'key' ? of.keys : of.kind === 'other_key' ? [of] : []
  return (
    <Row>
      <Cell>
        {of.kind === 'key' ? (
          <Link className="label" to={paths.practiceSponsorship(of.id)}>
            {of.name}
          </Link>
        ) : (
          <span className="label">{of.name}</span>
        )}
        <span className="sub">
          {of.organizationName}
          {kindNames[of.kind]}
        </span>
        {keys.map(({ id, prefix }) =>
          admin ? (
            <Link className="sub" key={id} to={paths.practiceRecordOf(id)}>
              <code>{prefix}…</code>
              <span className="sr"> Activity of {of.name}</span>
            </Link>
          ) : (
            <code className="sub" key={id}>
              {prefix}…
            </code>
          ),
        )}
        {admin && keys[0] && (
          <Link className="sub" to={paths.practiceKeyAccess(keys[0].id)}>
            What it can read<span className="sr">: {of.name}</span>
          </Link>
        )}
      </Cell>
      <Cell label="Purpose">
        {mayDo(of)}
        {'purpose' in of && <span className="sub breaks">{of.purpose}</span>}
        {of.kind === 'app' && (
          <span className="sub">
            {of.ended && 'Was used by '}
            {counted(of.people, of.audience)}
          </span>
        )}
      </Cell>
      <Cell label="Since" className="nowrap">
        <Moment at={of.since} as="date" />
      </Cell>
      <Cell label="Last used">
        {of.lastUsedAt ? <Moment at={of.lastUsedAt} /> : 'Never'}
        <Calls of={of} admin={admin} />
      </Cell>
      <Cell label="State">
        <State of={of} isStopped={stop !== undefined} />
        {of.kind === 'system' && !of.ended && <span className="sub">Ends when you revoke it</span>}
      </Cell>
      {admin && (
        <Cell className="act">
          {!of.ended && <Acts of={of} isStopped={stop !== undefined} onceKey={onceKey} />}
        </Cell>
      )}
    </Row>
  )
}

function mayDo(of: Entry): string {
  if (of.kind === 'system')
    return of.ended ? 'Nothing now. It read records of every patient.' : 'Reads records of every patient'
  if (of.kind !== 'app') return levelVerbs[of.level]
  return of.ended
    ? `Nothing now. It read what each ${of.audience} allowed.`
    : `Reads what each ${of.audience} allowed`
}

/** With the page of its figures, for who may open it. */
function Calls({ of, admin }: Pick<RowProps, 'of' | 'admin'>) {
  if (of.calls === 0) return null
  const calls = `${counted(of.calls, 'request')} in ${useDays} days`
  return (
    <span className="sub">
      {admin ? <Link to={paths.practiceUseOf(of.subject.kind, of.subject.id)}>{calls}</Link> : calls}
      {of.refused > 0 && `, ${of.refused.toLocaleString('en-US')} refused`}
    </span>
  )
}

function State({ of, isStopped }: { of: Entry; isStopped: boolean }) {
  if (of.kind === 'key')
    return (
      <>
        <StateTag state={of.state} />
        {!of.ended && isStopped && <span className="sub">Stopped by you</span>}
        {of.causes.map((cause) => (
          <span className="sub" key={cause}>
            {cause === 'practice' ? 'Stopped by you' : suspensionCauses[cause].title}
          </span>
        ))}
        {of.expiresAt && !of.ended && <Until at={of.expiresAt} />}
      </>
    )
  // It read records in the last days, and can no longer.
  if (of.ended) return <Tag>Ended</Tag>
  if (of.kind !== 'other_key')
    return isStopped ? (
      <Tag tone="bad">Stopped by you</Tag>
    ) : (
      <Tag tone="ok">{of.kind === 'app' ? 'Allowed' : 'Granted'}</Tag>
    )
  return (
    <>
      <Tag tone={isStopped || of.suspended ? 'bad' : 'ok'}>
        {isStopped ? 'Stopped by you' : of.suspended ? 'Stopped' : 'Active'}
      </Tag>
      <Until at={of.expiresAt} />
    </>
  )
}

const Until = ({ at }: { at: Date }) => (
  <span className="sub">
    Expires <Moment at={at} />
  </span>
)

function Acts({ of, isStopped, onceKey }: Pick<RowProps, 'of' | 'onceKey'> & { isStopped: boolean }) {
  if (of.kind === 'key') return <KeySwitch of={of} onceKey={onceKey} />
  return (
    <>
      {!isStopped && (
        <LinkButton
          size="sm"
          look="danger"
          to={stopPath(of.kind === 'other_key' ? 'key' : 'app', of.kind === 'system' ? of.clientId : of.id)}
        >
          <CirclePause className="i" />
          Stop<span className="sr"> {of.name}</span>
        </LinkButton>
      )}
      {of.kind === 'system' && (
        <LinkButton
          size="sm"
          look="danger"
          to={`${paths.practiceSystems}?${new URLSearchParams({ q: of.name })}#system-${of.id}`}
        >
          Revoke<span className="sr"> {of.name}</span>
        </LinkButton>
      )}
    </>
  )
}

/** One press stops the key; once it is stopped by the practice, one press lets it work again. */
function KeySwitch({ of: key, onceKey }: { of: Of<'key'>; onceKey: string }) {
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
