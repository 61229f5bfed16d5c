import { Form } from '@remix-run/react'
import { describeReviewCode } from '../../../server/contract/workflows/key-review.ts'
import { Button, LinkButton } from '../../components/ui/button.tsx'
import { Cell, Row } from '../../components/ui/data-table.tsx'
import { Hourglass, Mailbox } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { timeLeft } from '../../lib/dates.ts'
import { levelNames } from '../../shared/keys/key-names.ts'

export interface RequestRecord {
  id: string
  name: string
  level: 'read_only' | 'full'
  state: string
  requestedBy: { accountId: string; name: string }
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

/** What a reviewer said, as sentences. */
function wordsOf({ reviewCodes, reviewNote }: RequestRecord): string {
  return [...reviewCodes.map(describeReviewCode), reviewNote ?? ''].join(' ').trim()
}

/** We are at it, nobody needs to do anything. */
export const isOnItsWay = (request: Pick<RequestRecord, 'state'>) =>
  request.state === 'requested' || request.state === 'approved'

export const requestHeads = [
  'Request',
  'State',
  'Requested by',
  <span className="sr" key="act">
    Actions
  </span>,
]

/** A key that was asked for and not claimed yet: who has the next step, until when, and what then. */
export function RequestRow({ record, now }: { record: RequestRecord; now: Date }) {
  return (
    <Row>
      <Cell>
        <span className="label">{record.name}</span>
        <span className="sub">Sandbox, {levelNames[record.level]}</span>
      </Cell>
      <Cell label="State">
        <RequestState record={record} now={now} />
      </Cell>
      <Cell label="Requested by">
        {record.requestedBy.name}
        <span className="sub">
          <Moment at={record.createdAt} as="date" />
        </span>
      </Cell>
      <Cell className="act">
        {record.mayReveal && (
          <LinkButton size="sm" to={`/developers/keys/claim?request=${record.id}`}>
            Claim<span className="sr"> {record.name}</span>
          </LinkButton>
        )}
        {record.mayAnswer && (
          <LinkButton size="sm" to={`requests/${record.id}`}>
            Answer<span className="sr"> about {record.name}</span>
          </LinkButton>
        )}
        {record.mayReissue && (
          <Form method="post">
            <input type="hidden" name="request" value={record.id} />
            <Button type="submit" size="sm" name="intent" value="reissue">
              Send new link<span className="sr"> for {record.name}</span>
            </Button>
          </Form>
        )}
      </Cell>
    </Row>
  )
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
