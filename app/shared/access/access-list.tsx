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
import { StateTag } from '../production-keys/key-state-tag.tsx'
import { findStop, stopPath } from './stops.tsx'

type Entry = Access
type Stops = Awaited<ReturnType<Services['practiceStops']['list']>>['stops']
type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>

/** Where the reader of the list finds more: a practice's people, or the owners of a sandbox. */
interface Places {
  key: (keyId: string) => string
  /** Null: nothing to see there. */
  keyAccess: ((keyId: string) => string) | null
  revoke: ((system: Of<'system'>) => string) | null
  empty: string
}

const practicePlaces: Places = {
  key: (keyId) => `/practice/keys/${keyId}`,
  keyAccess: paths.practiceKeyAccess,
  revoke: ({ name, id }) => `${paths.practiceSystems}?${new URLSearchParams({ q: name })}#system-${id}`,
  empty:
    'When a developer requests a key, or a backend system requests access, it is listed under Requests. Apps that patients and staff connect appear here, too.',
}

interface AccessListProps {
  access: Awaited<ReturnType<Services['practiceConsole']['read']>>
  stops: Stops
  /** The one that is shown; null: all. */
  group: AccessGroup | null
  admin: boolean
  onceKey: string
  /** Those of the practice's console, when left out. */
  places?: Places
}

const groupNouns = { keys: 'key', systems: 'backend system', apps: 'connected app' } as const

/** Everything that reaches the practice, in one table. */
export function AccessList({
  access,
  stops,
  group,
  admin,
  onceKey,
  places = practicePlaces,
}: AccessListProps) {
  const { counts, listed } = access
  const total = counts.keys + counts.systems + counts.apps
  if (total === 0)
    return (
      <EmptyState icon={ShieldCheck} title="No outside access yet">
        {places.empty}
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
            act="Stop"
          >
            {listed.rows.map((row) => (
              <AccessRow
                key={`${row.kind} ${row.id}`}
                of={row}
                stops={stops}
                admin={admin}
                onceKey={onceKey}
                places={places}
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

interface RowProps<Kind extends Entry['kind']> {
  of: Of<Kind>
  stops: Stops
  admin: boolean
  onceKey: string
  places: Places
}

function AccessRow({ of, ...shared }: RowProps<Entry['kind']>) {
  switch (of.kind) {
    case 'key':
      return <KeyRow of={of} {...shared} />
    case 'other_key':
      return <OtherKeyRow of={of} {...shared} />
    case 'system':
      return <SystemRow of={of} {...shared} />
    case 'app':
      return <AppRow of={of} {...shared} />
  }
}

const levelVerbs = { read_only: 'Reads records', full: 'Reads and changes records' } as const

function LastUsed({ of: { lastUsedAt, calls, refused } }: { of: Entry }) {
  return (
    <Cell label="Last used">
      {lastUsedAt ? <Moment at={lastUsedAt} /> : 'Never'}
      {calls > 0 && (
        <span className="sub">
          {counted(calls, 'request')} in {useDays} days
          {refused > 0 && `, ${refused.toLocaleString('en-US')} refused`}
        </span>
      )}
    </Cell>
  )
}

const Since = ({ at }: { at: Date }) => (
  <Cell label="Since" className="nowrap">
    <Moment at={at} as="date" />
  </Cell>
)

function KeyRow({ of: key, stops, admin, onceKey, places }: RowProps<'key'>) {
  return (
    <Row>
      <Cell>
        <Link className="label" to={paths.practiceSponsorship(key.id)}>
          {key.name}
        </Link>
        <span className="sub">{key.organizationName}</span>
        {key.keys.map(({ id, prefix }) => (
          <Link className="sub" key={id} to={places.key(id)}>
            <code>{prefix}…</code>
            <span className="sr"> Activity of {key.name}</span>
          </Link>
        ))}
        {admin &&
          places.keyAccess &&
          key.keys.slice(0, 1).map(({ id }) => (
            <Link className="sub" key={id} to={places.keyAccess?.(id) ?? ''}>
              What it can read<span className="sr">: {key.name}</span>
            </Link>
          ))}
      </Cell>
      <Cell label="Purpose">
        {levelVerbs[key.level]}
        <span className="sub breaks">{key.purpose}</span>
      </Cell>
      <Since at={key.since} />
      <LastUsed of={key} />
      <Cell label="State">
        <StateTag state={key.state} />
        {!key.ended && findStop(stops, key, key.id) && <span className="sub">Stopped by you</span>}
        {key.causes.map((cause) => (
          <span className="sub" key={cause}>
            {cause === 'practice' ? 'Stopped by you' : suspensionCauses[cause].title}
          </span>
        ))}
        {key.expiresAt && !key.ended && (
          <span className="sub">
            Expires <Moment at={key.expiresAt} />
          </span>
        )}
      </Cell>
      <Cell className="act">{admin && !key.ended && <KeySwitch of={key} onceKey={onceKey} />}</Cell>
    </Row>
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

/** It read records in the last days, and can no longer. */
const EndedTag = () => <Tag>Ended</Tag>

const StoppedTag = () => <Tag tone="bad">Stopped by you</Tag>

function StopLink({ scope, id, name }: { scope: 'app' | 'key'; id: string; name: string }) {
  return (
    <LinkButton size="sm" look="danger" to={stopPath(scope, id)}>
      <CirclePause className="i" />
      Stop<span className="sr"> {name}</span>
    </LinkButton>
  )
}

function OtherKeyRow({ of: key, stops, admin, places }: RowProps<'other_key'>) {
  const stop = findStop(stops, key, key.id)
  return (
    <Row>
      <Cell>
        <span className="label">{key.name}</span>
        <span className="sub">{key.organizationName}</span>
        <Link className="sub" to={places.key(key.id)}>
          <code>{key.prefix}…</code>
          <span className="sr"> Activity of {key.name}</span>
        </Link>
        {admin && places.keyAccess && (
          <Link className="sub" to={places.keyAccess(key.id)}>
            What it can read<span className="sr">: {key.name}</span>
          </Link>
        )}
      </Cell>
      <Cell label="Purpose">{levelVerbs[key.level]}</Cell>
      <Since at={key.since} />
      <LastUsed of={key} />
      <Cell label="State">
        {key.ended ? (
          <EndedTag />
        ) : stop ? (
          <StoppedTag />
        ) : (
          <Tag tone={key.suspended ? 'bad' : 'ok'}>{key.suspended ? 'Stopped' : 'Active'}</Tag>
        )}
        {!key.ended && (
          <span className="sub">
            Ends <Moment at={key.expiresAt} />
          </span>
        )}
      </Cell>
      <Cell className="act">
        {admin && !stop && !key.ended && <StopLink scope="key" id={key.id} name={key.name} />}
      </Cell>
    </Row>
  )
}

function SystemRow({ of: system, stops, admin, places }: RowProps<'system'>) {
  const stop = findStop(stops, system, system.clientId)
  return (
    <Row>
      <Cell>
        <span className="label">{system.name}</span>
        <span className="sub">{system.organizationName}, backend system</span>
      </Cell>
      <Cell label="Purpose">
        {system.ended ? 'Nothing now. It read records of every patient.' : 'Reads records of every patient'}
        <span className="sub breaks">{system.purpose}</span>
      </Cell>
      <Since at={system.since} />
      <LastUsed of={system} />
      <Cell label="State">
        {system.ended ? <EndedTag /> : stop ? <StoppedTag /> : <Tag tone="ok">Granted</Tag>}
        {places.revoke && !system.ended && <span className="sub">Ends when you revoke it</span>}
      </Cell>
      <Cell className="act">
        {admin && !stop && !system.ended && <StopLink scope="app" id={system.clientId} name={system.name} />}
        {places.revoke && !system.ended && (
          <LinkButton size="sm" look="danger" to={places.revoke(system)}>
            Revoke<span className="sr"> {system.name}</span>
          </LinkButton>
        )}
      </Cell>
    </Row>
  )
}

function AppRow({ of: app, stops, admin }: RowProps<'app'>) {
  const stop = findStop(stops, app, app.id)
  return (
    <Row>
      <Cell>
        <span className="label">{app.name}</span>
        <span className="sub">{app.organizationName}, app</span>
      </Cell>
      <Cell label="Purpose">
        {app.ended
          ? `Nothing now. It read what each ${app.audience} allowed.`
          : `Reads what each ${app.audience} allowed`}
        <span className="sub">
          {app.ended && 'Was used by '}
          {counted(app.people, app.audience)}
        </span>
      </Cell>
      <Since at={app.since} />
      <LastUsed of={app} />
      <Cell label="State">
        {app.ended ? <EndedTag /> : stop ? <StoppedTag /> : <Tag tone="ok">Allowed</Tag>}
      </Cell>
      <Cell className="act">
        {admin && !stop && !app.ended && <StopLink scope="app" id={app.id} name={app.name} />}
      </Cell>
    </Row>
  )
}
