import { Link, useLoaderData } from '@remix-run/react'
import { reviewDecisionForms } from '../../server/contract/forms/keys.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import {
  declineCodes,
  infoCodes,
  type ReviewFlag,
  reviewFlags,
  reviewNoteMax,
} from '../../server/contract/workflows/key-review.ts'
import { reviewStateName } from '../../server/contract/workflows/review-queue.ts'
import type { ReviewDecision } from '../../server/domain/keys/key-review.ts'
import { Refusal } from '../components/ui/action-form.tsx'
import { Checkboxes } from '../components/ui/choice.tsx'
import { optionsOf, TextArea } from '../components/ui/form.tsx'
import { Card, Facts, Moment, PageHeader, Tag } from '../components/ui/page-parts.tsx'
import { runAction } from '../lib/submission.server.ts'
import { actorOf, getSession, page } from '../services.server.ts'
import { levelNames } from '../shared/keys/key-words.tsx'
import { DecisionPanel } from './queue/decision.tsx'
import { readQueueAndRisk } from './queue/queue.server.ts'
import { queueQuery } from './queue/queue-query.ts'
import { ReviewLayout } from './queue/review-layout.tsx'

export const meta = () => [{ title: 'Key request · Sandpiper' }]
export const handle = { rail: true }

export const loader = page(async (args) => {
  const session = await getSession(args, 'staff')
  const { accountId } = session
  const requestId = args.params.request ?? ''
  const request = await args.context.services.keys.getReview({ requestId }, { accountId })
  const { id, organizationId, organization, requestedBy, flags, mine } = request
  const { name, level, state, version, projectDescription, technicalContact, createdAt } = request
  return {
    request: { name, level, state, version, projectDescription, technicalContact, createdAt, mine },
    flags: flags.map((flag) => reviewFlags[flag as ReviewFlag] ?? flag),
    ...{ id, organization, requestedBy },
    ...(await readQueueAndRisk(args, session, { noun: 'sandbox_key_request', id, organizationId })),
  }
})

export const action = page(async (args) => {
  const actor = actorOf(args, await getSession(args, 'staff'))
  const { keys } = args.context.services
  const requestId = args.params.request ?? ''
  const decide = ({ version, ...decision }: { version: number } & ReviewDecision) =>
    keys.decide({ requestId, version, decision }, actor)
  return runAction(
    args,
    reviewDecisionForms,
    {
      approve: (input) => decide({ kind: 'approve', ...input }),
      request_info: (input) => decide({ kind: 'request_info', ...input }),
      decline: (input) => decide({ kind: 'decline', ...input }),
    },
    { to: () => ({ path: paths.reviewQueue, done: 'review_decided' }) },
  )
})

export default function KeyRequest() {
  const { id, risk, queue, request, flags, organization, requestedBy } = useLoaderData<typeof loader>()
  return (
    <ReviewLayout
      queue={queue}
      risk={risk}
      current={id}
      head={
        <PageHeader title={request.name}>
          <Tag tone={request.state === 'manual_review' ? 'turn' : 'quiet'}>
            {reviewStateName('sandbox_key_request', request.state)}
          </Tag>{' '}
          Sandbox key requested by {organization.name}.{' '}
          <Link to={paths.reviewQueue + queueQuery(queue.ask)}>Back to the queue</Link>
        </PageHeader>
      }
      notices={<Refusal title="Not saved." />}
      decision={<Decision request={request} />}
    >
      <Card padded id="why" title="Reason for the review">
        <ul className="stack tight">
          {flags.map((flag) => (
            <li key={flag}>{flag}</li>
          ))}
        </ul>
      </Card>
      <Card padded id="asked" title="Request">
        <p className="breaks">{request.projectDescription}</p>
        <Facts
          of={{
            Organization: (
              <>
                {organization.name}, since <Moment at={organization.createdAt} as="date" />
              </>
            ),
            'Requested by': (
              <>
                {requestedBy.name}, {requestedBy.email}
              </>
            ),
            'Technical contact': request.technicalContact,
            Level: levelNames[request.level],
            'Requested on': <Moment at={request.createdAt} />,
          }}
        />
      </Card>
    </ReviewLayout>
  )
}

type Request = ReturnType<typeof useLoaderData<typeof loader>>['request']

function Decision({ request }: { request: Request }) {
  if (request.state !== 'manual_review') return <p>This request is decided, or the developer must answer.</p>
  if (request.mine) return <p>You belong to this organization, so a colleague must decide.</p>
  return (
    <DecisionPanel
      view={{ version: request.version, allowed: ['approve', 'request_info', 'decline'] }}
      onceKey={`decision-${request.version}`}
      steps={{
        approve: {
          title: 'Approve',
          button: 'Approve request',
          busy: 'Approving',
          look: 'primary',
          text: 'We create the key and email the claim link immediately.',
          next: true,
        },
        request_info: {
          title: 'Ask a question',
          button: 'Send questions',
          children: <Codes legend="Questions" codes={infoCodes} />,
        },
        decline: {
          title: 'Decline',
          button: 'Decline request',
          look: 'danger',
          children: <Codes legend="Reasons" codes={declineCodes} />,
        },
      }}
    />
  )
}

/** Coded reasons, with an optional note to the developer. */
function Codes({ legend, codes }: { legend: string; codes: Readonly<Record<string, string>> }) {
  return (
    <>
      <Checkboxes name="codes" legend={legend} options={optionsOf(codes)} />
      <TextArea name="note" label="Note to the developer (optional)" maxLength={reviewNoteMax} />
    </>
  )
}
