import { Form, Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { describeReviewCode } from '../../../server/contract/workflows/key-review.ts'
import type { ProductionKeyState } from '../../../server/contract/workflows/production-key-workflow.ts'
import { Button, LinkButton } from '../../components/ui/button.tsx'
import { Cell, Row } from '../../components/ui/data-table.tsx'
import { Hourglass, Mailbox } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { ago, counted, daysLeft, timeLeft } from '../../lib/dates.ts'
import { environmentNames, levelNames } from '../../shared/keys/key-names.ts'
import { KeyPrefix } from '../../shared/keys/key-prefix.tsx'
import { StateTag } from '../../shared/production-keys/key-state-tag.tsx'
import { callsOf, type Day, Sparkline } from './sparkline.tsx'

interface KeyRecord {
  kind: 'key'
  id: string
  name: string
  prefix: string
  level: keyof typeof levelNames
  environment: keyof typeof environmentNames
  practice: { name: string }
  state: 'active' | 'suspended' | 'revoked' | 'expired'
  expiresAt: Date
  revokedAt: Date | null
  revokeReason: string | null
  lastUsedAt: Date | null
  productionRequestId: string | null
  mayExtend: boolean
  rotatedAt: Date | null
  browserUseAt: Date | null
  suspensions: readonly Readonly<{
    title: string
    by: string | null
    reason: string | null
    since: Date
    next: string
  }>[]
  days: readonly Day[]
}

export interface RequestRecord {
  kind: 'request'
  id: string
  name: string
  level: keyof typeof levelNames
  state: string
  requestedBy: { name: string }
  createdAt: Date
  claimExpiresAt: Date | null
  reissuesLeft: number
  mayReveal: boolean
  mayReissue: boolean
  /** A reviewer asked for more, and the reader may answer. */
  mayAnswer: boolean
  /** Codes of contract/workflows/key-review.ts, and the reviewer's own words. */
  reviewCodes: readonly string[]
  reviewNote: string | null
}

/** A request for a production key that has made no key yet. */
interface ProductionRecord {
  kind: 'production'
  id: string
  name: string
  level: keyof typeof levelNames
  state: ProductionKeyState
  practiceName: string
  renewal: boolean
  /** The developers take the next step. */
  waits: boolean
}

export type ListRecord = KeyRecord | RequestRecord | ProductionRecord

/** From here on an ending is the reader's turn. */
const soonDays = 14

export const keyHeads = ['Key', 'Environment', 'State', 'Last used', 'Refused today', 'Next']

interface RowProps<Record> {
  record: Record
  now: Date
  slug: string
}

/** A key, or a request under way: what it is, what it reaches, where it stands, and what is next. */
export function KeyRow({ record, ...rest }: RowProps<ListRecord>) {
  if (record.kind === 'key') return <OneKey record={record} {...rest} />
  if (record.kind === 'request') return <SandboxRequest record={record} {...rest} />
  return <ProductionRequest record={record} {...rest} />
}

interface CellsProps {
  name: ReactNode
  sub: ReactNode
  environment: keyof typeof environmentNames
  practice?: string
  level: keyof typeof levelNames
  state: ReactNode
  used?: ReactNode
  refused?: ReactNode
  next: ReactNode
}

function Cells({ name, sub, environment, practice, level, state, used, refused, next }: CellsProps) {
  return (
    <Row>
      <Cell>
        {name}
        <span className="sub">{sub}</span>
      </Cell>
      <Cell label="Environment">
        {environmentNames[environment]}
        <span className="sub">
          {practice && `${practice}, `}
          {levelNames[level]}
        </span>
      </Cell>
      <Cell label="State">{state}</Cell>
      <Cell label="Last used">{used ?? 'No key yet'}</Cell>
      <Cell label="Refused today">{refused ?? '–'}</Cell>
      <Cell className="act">{next || <span className="small muted">Nothing to do</span>}</Cell>
    </Row>
  )
}

function OneKey({ record, now, slug }: RowProps<KeyRecord>) {
  const { name, lastUsedAt, days, productionRequestId } = record
  const address = paths.organizationKey(slug, record.id)
  const logs = paths.logs(slug, { caller: `key:${record.id}`, status: 'refused' })
  const refused = days.at(-1)?.refused ?? 0
  return (
    <Cells
      name={
        <Link className="label" to={address} prefetch="intent">
          {name}
        </Link>
      }
      sub={<KeyPrefix prefix={record.prefix} />}
      environment={record.environment}
      practice={record.practice.name}
      level={record.level}
      state={<KeyEnd record={record} now={now} />}
      used={
        <>
          {lastUsedAt ? ago(lastUsedAt, now) : 'Never'}
          <Sparkline days={days} />
          <span className="sub one">{callsOf(days)}</span>
        </>
      }
      refused={
        <>
          {refused > 0 ? <Link to={logs}>{refused.toLocaleString('en-US')}</Link> : '0'}
          {record.browserUseAt && <Tag tone="turn">Used from a browser</Tag>}
        </>
      }
      next={
        record.mayExtend ? (
          <Form method="post" action={address}>
            <Button type="submit" size="sm" name="intent" value="extend">
              Extend<span className="sr"> {name}</span>
            </Button>
          </Form>
        ) : productionRequestId && record.suspensions.length > 0 ? (
          <LinkButton size="sm" to={paths.productionKey(slug, productionRequestId)}>
            View request<span className="sr"> for {name}</span>
          </LinkButton>
        ) : refused > 0 ? (
          <LinkButton size="sm" to={logs}>
            View {counted(refused, 'refusal')}
            <span className="sr"> of {name}</span>
          </LinkButton>
        ) : null
      }
    />
  )
}

function ProductionRequest({ record, slug }: RowProps<ProductionRecord>) {
  const { id, state, renewal, waits } = record
  const name = record.name || 'No name yet'
  const to = state === 'draft' ? paths.productionKeyForm(slug, id) : paths.productionKey(slug, id)
  return (
    <Cells
      name={
        <Link className="label" to={paths.productionKey(slug, id)}>
          {name}
        </Link>
      }
      sub={renewal ? 'Renewal request' : 'Request'}
      environment="production"
      practice={record.practiceName}
      level={record.level}
      state={<StateTag state={state} />}
      next={
        waits && (
          <LinkButton size="sm" to={to}>
            Continue<span className="sr"> {name}</span>
          </LinkButton>
        )
      }
    />
  )
}

function SandboxRequest({ record, now, slug }: RowProps<RequestRecord>) {
  const { id, name, mayReveal, mayAnswer, mayReissue } = record
  return (
    <Cells
      name={<span className="label">{name}</span>}
      sub={
        <>
          Requested by {record.requestedBy.name}, <Moment at={record.createdAt} as="date" />
        </>
      }
      environment="sandbox"
      level={record.level}
      state={<RequestState record={record} now={now} />}
      next={
        mayReveal ? (
          <LinkButton size="sm" look="primary" to={paths.claimKeyRequest(id)}>
            Claim<span className="sr"> {name}</span>
          </LinkButton>
        ) : mayAnswer ? (
          <LinkButton size="sm" to={paths.keyRequest(slug, id)}>
            Answer<span className="sr"> about {name}</span>
          </LinkButton>
        ) : mayReissue ? (
          <Form method="post">
            <input type="hidden" name="request" value={id} />
            <Button type="submit" size="sm" name="intent" value="reissue">
              Send new link<span className="sr"> for {name}</span>
            </Button>
          </Form>
        ) : null
      }
    />
  )
}

/** What a reviewer said, as sentences. */
function wordsOf({ reviewCodes, reviewNote }: RequestRecord): string {
  return [...reviewCodes.map(describeReviewCode), reviewNote ?? ''].join(' ').trim()
}

function RequestState({ record, now }: { record: RequestRecord; now: Date }) {
  switch (record.state) {
    case 'requested':
    case 'approved':
      return (
        <>
          <Tag icon={Hourglass}>Being created</Tag>
          <span className="sub">You get the claim link by email, usually within a minute.</span>
        </>
      )
    case 'ready_to_claim':
      return (
        <>
          <Tag tone={record.mayReveal ? 'turn' : 'quiet'} icon={Mailbox}>
            Ready to claim
          </Tag>
          {record.claimExpiresAt && (
            <span className="sub">
              Until <Moment at={record.claimExpiresAt} />, {timeLeft(record.claimExpiresAt, now)}
            </span>
          )}
        </>
      )
    case 'claim_expired':
      return (
        <>
          <Tag>Link expired</Tag>
          <span className="sub">
            {record.reissuesLeft > 0
              ? `You can request a new link ${record.reissuesLeft === 1 ? 'once more' : `${record.reissuesLeft} more times`}.`
              : 'No new links are left. Request a key again.'}
          </span>
        </>
      )
    case 'manual_review':
      return (
        <>
          <Tag icon={Hourglass}>In review</Tag>
          <span className="sub">We review it on the same business day and email you.</span>
        </>
      )
    case 'needs_info':
      return (
        <>
          <Tag tone={record.mayAnswer ? 'turn' : 'quiet'}>Waiting for your answer</Tag>
          <span className="sub">{wordsOf(record)}</span>
        </>
      )
    case 'declined':
      return (
        <>
          <Tag>Declined</Tag>
          <span className="sub">{wordsOf(record)}</span>
        </>
      )
    default:
      return <Tag>{record.state.replaceAll('_', ' ')}</Tag>
  }
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
      <Tag tone="bad">Stopped</Tag>
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
