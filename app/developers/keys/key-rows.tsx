import { Form, Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { describeReviewCode } from '../../../server/contract/workflows/key-review.ts'
import type { Services } from '../../../server/services.ts'
import { Hourglass, Mailbox } from '../../components/ui/icons.ts'
import { Cell, Row } from '../../components/ui/list.tsx'
import { Button, LinkButton, Moment, Tag } from '../../components/ui/page-parts.tsx'
import { ago, counted, daysLeft, timeLeft } from '../../lib/dates.ts'
import { environmentNames, KeyPrefix, levelNames } from '../../shared/keys/key-words.tsx'
import { StateTag } from '../../shared/production-keys/key-state-tag.tsx'
import { callsOf, Sparkline } from './sparkline.tsx'

export type ListRecord = Awaited<ReturnType<Services['keys']['listPage']>>['rows'][number]
type KeyRecord = Extract<ListRecord, { kind: 'key' }>
type RequestRecord = Extract<ListRecord, { kind: 'request' }>
/** A request for a production key that has made no key yet. */
type ProductionRecord = Extract<ListRecord, { kind: 'production' }>

/** In the last days before its expiry, a key is marked as a to-do. */
const soonDays = 14

export const keyHeads = ['Key', 'Environment', 'State', 'Last used', 'Refused today', 'Next']

interface RowProps<Listed> {
  record: Listed
  now: Date
  slug: string
}

/** A key or a request as every list shows it. */
interface KeyLine {
  name: string
  /** Its page, if it has one. */
  to: string | null
  sub: ReactNode
  environment: keyof typeof environmentNames
  practice?: string
  level: keyof typeof levelNames
  /** Its state, as a tag. */
  tag: ReactNode
  /** Since when, why and until when it has this state. */
  detail?: ReactNode
  used?: ReactNode
  refused?: ReactNode
  next: ReactNode
}

export function describeKey({ record, ...rest }: RowProps<ListRecord>): KeyLine {
  if (record.kind === 'key') return describeOneKey({ record, ...rest })
  if (record.kind === 'request') return describeSandboxRequest({ record, ...rest })
  return describeProductionRequest({ record, ...rest })
}

export function KeyRow(props: RowProps<ListRecord>) {
  const { name, to, sub, environment, practice, level, tag, detail, used, refused, next } = describeKey(props)
  return (
    <Row>
      <Cell>
        {to ? (
          <Link className="label" to={to} prefetch="intent">
            {name}
          </Link>
        ) : (
          <span className="label">{name}</span>
        )}
        <span className="sub">{sub}</span>
      </Cell>
      <Cell label="Environment">
        {environmentNames[environment]}
        <span className="sub">
          {practice && `${practice}, `}
          {levelNames[level]}
        </span>
      </Cell>
      <Cell label="State">
        {tag}
        {detail}
      </Cell>
      <Cell label="Last used">{used}</Cell>
      <Cell label="Refused today">{refused}</Cell>
      <Cell className="act">{next || null}</Cell>
    </Row>
  )
}

function describeOneKey({ record, now, slug }: RowProps<KeyRecord>): KeyLine {
  const { name, lastUsedAt, days, productionRequestId } = record
  const to = paths.organizationKey(slug, record.id)
  const logs = paths.logs(slug, { caller: `key:${record.id}`, status: 'refused', within: 'today' })
  const refused = days.at(-1)?.refused ?? 0
  return {
    ...{ name, to, environment: record.environment, practice: record.practice.name, level: record.level },
    sub: <KeyPrefix prefix={record.prefix} />,
    tag: <KeyTag record={record} />,
    detail: <KeyDetail record={record} now={now} />,
    used: (
      <>
        {lastUsedAt ? ago(lastUsedAt, now) : 'Never'}
        <span className="wide-only">
          <Sparkline days={days} />
        </span>
        <span className="sub one">{callsOf(days)}</span>
      </>
    ),
    refused: (
      <>
        {refused > 0 ? <Link to={logs}>{refused.toLocaleString('en-US')}</Link> : '0'}
        {record.browserUseAt && <Tag tone="turn">Used from a browser</Tag>}
      </>
    ),
    next: record.mayExtend ? (
      <Form method="post" action={to}>
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
    ) : null,
  }
}

function describeProductionRequest({ record, slug }: RowProps<ProductionRecord>): KeyLine {
  const { id, level, state, renewal, waits, practiceName } = record
  const name = record.name || 'No name yet'
  return {
    ...{ name, environment: 'production', practice: practiceName, level },
    to: paths.productionKey(slug, id),
    sub: renewal ? 'Renewal request' : 'Request',
    tag: <StateTag state={state} />,
    next: waits && (
      <LinkButton
        size="sm"
        to={state === 'draft' ? paths.productionKeyForm(slug, id) : paths.productionKey(slug, id)}
      >
        Continue<span className="sr"> {name}</span>
      </LinkButton>
    ),
  }
}

function describeSandboxRequest({ record, now, slug }: RowProps<RequestRecord>): KeyLine {
  const { id, name, level, mayReveal, mayAnswer, mayReissue } = record
  return {
    ...{ name, to: null, environment: 'sandbox', level },
    sub: (
      <>
        Requested by {record.requestedBy.name}, <Moment at={record.createdAt} as="date" />
      </>
    ),
    ...requestState(record, now),
    next: mayReveal ? (
      <LinkButton size="sm" look="primary" to={paths.claimKeyRequest(id)}>
        Claim<span className="sr"> {name}</span>
      </LinkButton>
    ) : mayAnswer ? (
      <LinkButton size="sm" to={paths.keyRequest(slug, id)}>
        Answer<span className="sr"> about {name}</span>
      </LinkButton>
    ) : mayReissue ? (
      <Form method="post" action={paths.organizationKeys(slug)}>
        <input type="hidden" name="request" value={id} />
        <Button type="submit" size="sm" name="intent" value="reissue">
          Send new link<span className="sr"> for {name}</span>
        </Button>
      </Form>
    ) : null,
  }
}

/** The reviewer's reasons and note, as sentences. */
const reviewText = ({ reviewCodes, reviewNote }: RequestRecord): string =>
  [...reviewCodes.map(describeReviewCode), reviewNote ?? ''].join(' ').trim()

/** The state of a sandbox key request: a tag, and what the state means. */
function requestState(record: RequestRecord, now: Date): { tag: ReactNode; detail?: ReactNode } {
  switch (record.state) {
    case 'requested':
    case 'approved':
      return {
        tag: <Tag icon={Hourglass}>Being created</Tag>,
        detail: <span className="sub">You get the claim link by email, usually within a minute.</span>,
      }
    case 'ready_to_claim':
      return {
        tag: (
          <Tag tone={record.mayReveal ? 'turn' : 'quiet'} icon={Mailbox}>
            Ready to claim
          </Tag>
        ),
        detail: record.claimExpiresAt && (
          <span className="sub">
            Until <Moment at={record.claimExpiresAt} as="deadline" />, {timeLeft(record.claimExpiresAt, now)}
          </span>
        ),
      }
    case 'claim_expired':
      return {
        tag: <Tag>Link expired</Tag>,
        detail: (
          <span className="sub">
            {record.reissuesLeft > 0
              ? `You can request a new link ${record.reissuesLeft === 1 ? 'once more' : `${record.reissuesLeft} more times`}.`
              : 'No new links are left. Request a key again.'}
          </span>
        ),
      }
    case 'manual_review':
      return {
        tag: <Tag icon={Hourglass}>In review</Tag>,
        detail: <span className="sub">We review it on the same business day and email you.</span>,
      }
    case 'needs_info':
      return {
        tag: <Tag tone={record.mayAnswer ? 'turn' : 'quiet'}>Waiting for your answer</Tag>,
        detail: <span className="sub">{reviewText(record)}</span>,
      }
    case 'declined':
      return { tag: <Tag>Declined</Tag>, detail: <span className="sub">{reviewText(record)}</span> }
    default:
      return { tag: <Tag>{record.state.replaceAll('_', ' ')}</Tag> }
  }
}

type KeyStatus = Pick<
  KeyRecord,
  'rotatedAt' | 'state' | 'expiresAt' | 'revokedAt' | 'revokeReason' | 'suspensions'
>

/** Whether a key works, as a tag. */
export function KeyTag({ record: { state, suspensions } }: { record: KeyStatus }) {
  if (state === 'revoked') return <Tag bare>Revoked</Tag>
  if (state === 'expired') return <Tag bare>Expired</Tag>
  return suspensions.length > 0 ? <Tag tone="bad">Stopped</Tag> : <Tag tone="ok">Active</Tag>
}

/** When the key expires, or since when and why it doesn't work and what the reader can do. */
export function KeyDetail({ record, now }: { record: KeyStatus; now: Date }) {
  if (record.state === 'revoked') {
    return (
      <span className="sub">
        {record.revokedAt && <Moment at={record.revokedAt} as="date" />}
        {record.revokeReason && `: ${record.revokeReason}`}
      </span>
    )
  }
  if (record.state === 'expired') {
    return (
      <span className="sub">
        <Moment at={record.expiresAt} />
      </span>
    )
  }
  if (record.suspensions.length > 0) {
    return record.suspensions.map(({ title, by, reason, since, next }) => (
      <span className="sub breaks" key={title}>
        {title}
        {by && `, ${by}`}, <Moment at={since} />
        {reason && `: ${reason}`}
        <br />
        {next}
      </span>
    ))
  }
  const left = timeLeft(record.expiresAt, now)
  const soon = daysLeft(record.expiresAt, now) <= soonDays
  return (
    <>
      <span className="sub">
        Expires <Moment at={record.expiresAt} />
      </span>
      <span className="sub">
        {record.rotatedAt ? (
          <Tag tone="turn">Rotated, {left}</Tag>
        ) : soon ? (
          <Tag tone="turn">{left}</Tag>
        ) : (
          left
        )}
      </span>
    </>
  )
}
