import { Link } from '@remix-run/react'
import { LinkButton } from '../../components/ui/button.tsx'
import { Cell, Row } from '../../components/ui/data-table.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { ago, daysLeft, timeLeft } from '../../lib/dates.ts'
import { type environmentNames, reachOf } from '../../shared/keys/key-names.ts'
import { KeyPrefix } from '../../shared/keys/key-prefix.tsx'
import { callsOf, type Day, Sparkline } from './sparkline.tsx'

interface KeyRecord {
  id: string
  name: string
  prefix: string
  level: 'read_only' | 'full'
  environment: keyof typeof environmentNames
  practice: { slug: string; name: string }
  state: 'active' | 'suspended' | 'revoked' | 'expired'
  createdAt: Date
  expiresAt: Date
  revokedAt: Date | null
  revokeReason: string | null
  lastUsedAt: Date | null
  mayRevoke: boolean
  mayRotate: boolean
  rotatedAt: Date | null
  browserUseAt: Date | null
  leaked: boolean
  suspensions: readonly Readonly<{
    title: string
    by: string | null
    reason: string | null
    since: Date
    next: string
  }>[]
  days: readonly Day[]
}

/** From here on an ending is the reader's turn. */
const soonDays = 14

export const keyHeads = [
  'Key',
  'Practice',
  'State',
  'Last used',
  'Last 30 days',
  <span className="sr" key="act">
    Actions
  </span>,
]

/** One key in a list: what it is, what it reaches, when it ends, what it did. */
export function KeyRow({ record, now, base }: { record: KeyRecord; now: Date; base: string }) {
  const address = `${base}/${record.id}`
  return (
    <Row>
      <Cell>
        <Link className="label" to={address} prefetch="intent">
          {record.name}
        </Link>
        <span className="sub">
          <KeyPrefix prefix={record.prefix} />
        </span>
        <span className="sub one">
          Created <Moment at={record.createdAt} as="date" />
        </span>
      </Cell>
      <Cell label="Practice">
        {record.practice.name}
        <span className="sub">{reachOf(record)}</span>
        <span className="sub">
          <code>{record.practice.slug}</code>
        </span>
      </Cell>
      <Cell label="State">
        <KeyEnd record={record} now={now} />
      </Cell>
      <Cell label="Last used">
        {record.lastUsedAt ? (
          <>
            {ago(record.lastUsedAt, now)}
            <span className="sub one">
              <Moment at={record.lastUsedAt} as={daysLeft(now, record.lastUsedAt) > 1 ? 'date' : 'time'} />
            </span>
          </>
        ) : (
          'Never'
        )}
      </Cell>
      <Cell label="30 days">
        <Sparkline days={record.days} />
        <span className="sub one">{callsOf(record.days)}</span>
        {record.browserUseAt && <Tag tone="turn">Used from a browser</Tag>}
      </Cell>
      <Cell className="act">
        <LinkButton size="sm" to={address}>
          Activity<span className="sr"> of {record.name}</span>
        </LinkButton>{' '}
        {record.mayRotate && (
          <LinkButton size="sm" to={`${address}/rotate`}>
            Rotate<span className="sr"> {record.name}</span>
          </LinkButton>
        )}{' '}
        {record.mayRevoke && (
          <LinkButton size="sm" look="danger" to={`${address}/revoke`} preventScrollReset>
            Revoke<span className="sr"> {record.name}</span>
          </LinkButton>
        )}
      </Cell>
    </Row>
  )
}

/** Whether it works, since when and why not, and when it ends. */
export function KeyEnd({
  record,
  now,
}: {
  record: Pick<KeyRecord, 'rotatedAt' | 'state' | 'expiresAt' | 'revokedAt' | 'revokeReason' | 'suspensions'>
  now: Date
}) {
  if (record.state === 'revoked') {
    return (
      <>
        <Tag bare>Revoked</Tag>
        <span className="sub">
          {record.revokedAt && <Moment at={record.revokedAt} as="date" />}
          {record.revokeReason && `: ${record.revokeReason}`}
        </span>
      </>
    )
  }
  if (record.state === 'expired') {
    return (
      <>
        <Tag bare>Expired</Tag>
        <span className="sub">
          <Moment at={record.expiresAt} />
        </span>
      </>
    )
  }
  if (record.suspensions.length > 0) return <WhySuspended of={record.suspensions} />
  const soon = daysLeft(record.expiresAt, now) <= soonDays
  return (
    <>
      <Tag tone="ok">Active</Tag>
      <span className="sub">
        Expires <Moment at={record.expiresAt} />
      </span>
      <span className="sub">
        {record.rotatedAt ? (
          <Tag tone="turn">Rotated, {timeLeft(record.expiresAt, now)}</Tag>
        ) : soon ? (
          <Tag tone="turn">{timeLeft(record.expiresAt, now)}</Tag>
        ) : (
          timeLeft(record.expiresAt, now)
        )}
      </span>
    </>
  )
}

/** Who suspended it, since when and why, and what the reader can do. */
function WhySuspended({ of: suspensions }: { of: KeyRecord['suspensions'] }) {
  return (
    <>
      <Tag tone="bad">Suspended</Tag>
      {suspensions.map(({ title, by, reason, since, next }) => (
        <span className="sub breaks" key={title}>
          {title}
          {by && `, ${by}`}, <Moment at={since} />
          {reason && `: ${reason}`}
          <br />
          {next}
        </span>
      ))}
    </>
  )
}
