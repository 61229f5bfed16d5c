import { Link, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { productionReviewForms } from '../../../server/contract/forms/production-keys.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { productionChecks } from '../../../server/contract/workflows/production-key-review.ts'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { Banner, Card, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { runAction } from '../../lib/submission.server.ts'
import { actorOf, findStepUp, getSession, type PageArgs, page } from '../../services.server.ts'
import { levelWords } from '../../shared/keys/key-words.tsx'
import { StateTag } from '../../shared/production-keys/key-state-tag.tsx'
import {
  AskedFor,
  FactsNow,
  KeysOf,
  LeakedKeys,
  ProductionHistory,
  ProductionSteps,
  WhoAsks,
  WhySuspended,
} from '../../shared/production-keys/production-parts.tsx'
import { readQueueAndRisk, withQueue } from '../queue/queue.server.ts'
import { queueQuery } from '../queue/queue-query.ts'
import { RequestTabs, readTab } from '../queue/request-tabs.tsx'
import { ReviewLayout } from '../queue/review-layout.tsx'
import { ProductionReviewActs } from './production-review-acts.tsx'

export const meta = () => [{ title: 'Production key · Sandpiper' }]
export const handle = { rail: true }

async function getRequest(args: PageArgs) {
  const session = await getSession(args, 'staff')
  const actor = actorOf(args, session)
  const view = await args.context.services.productionKeys.get(args.params.request ?? '', actor)
  if (view.party !== 'reviewer' && view.party !== 'ops') throw data(null, { status: 404 })
  return { session, actor, view }
}

const tabs = {
  request: 'Request',
  evidence: 'Evidence',
  conversation: 'Conversation',
  history: 'History',
} as const

export const loader = page(async (args) => {
  const { session, view } = await getRequest(args)
  return {
    view,
    ...(await readQueueAndRisk(args, session, {
      noun: 'production_key_request',
      id: view.id,
      organizationId: view.organization.id,
    })),
    tab: readTab(tabs, args.request),
    onceKey: crypto.randomUUID(),
    stepUp: findStepUp(args, session),
  }
})

export const action = page(async (args) => {
  const { actor, view } = await getRequest(args)
  const keys = args.context.services.productionKeys
  const { reviews } = keys
  const requestId = view.id
  return runAction(
    args,
    productionReviewForms,
    {
      claim: (input) => reviews.claim({ requestId, ...input }, actor),
      ask: (input) => reviews.requestInfo({ requestId, ...input }, actor),
      approve: (input) => reviews.approve({ requestId, ...input }, actor),
      propose: (input) => reviews.proposeRejection({ requestId, ...input }, actor),
      dismiss: (input) => reviews.dismissRejection({ requestId, ...input }, actor),
      reject: (input) => reviews.reject({ requestId, ...input }, actor),
      suspend: (input) => keys.suspend({ requestId, ...input }, actor),
      reinstate: (input) => keys.reinstate({ requestId, ...input }, actor),
      revoke: (input) => keys.revoke({ requestId, ...input }, actor),
      release: (input) => reviews.endHold({ requestId, outcome: 'release', ...input }, actor),
      close: (input) => reviews.endHold({ requestId, outcome: 'close', ...input }, actor),
    },
    { to: () => ({ path: withQueue(args, paths.reviewProductionKey(requestId)), done: 'review_noted' }) },
  )
})

export default function ReviewProductionKey() {
  const { view, queue, risk, tab, onceKey, stepUp } = useLoaderData<typeof loader>()
  return (
    <ReviewLayout
      queue={queue}
      risk={risk}
      current={view.id}
      head={
        <PageHeader title={`${view.organization.name}: ${view.name}`}>
          <StateTag state={view.state} /> {levelWords[view.level]}, at{' '}
          {view.practice?.name ?? view.practiceSlug}.{' '}
          <Link to={paths.reviewQueue + queueQuery(queue.ask)}>Back to the queue</Link>
        </PageHeader>
      }
      notices={
        <>
          <Refusal />
          <LeakedKeys view={view} />
          <WhySuspended view={view} />
        </>
      }
      decision={
        <>
          {view.conflict ? (
            <Banner tone="wait" title="You can’t decide on this.">
              {view.conflict}
            </Banner>
          ) : (
            <ProductionReviewActs view={view} onceKey={onceKey} stepUp={stepUp} />
          )}
          <ReviewClock clock={view.clock} />
          <FactsNow view={view} />
        </>
      }
    >
      <RequestTabs tabs={tabs} current={tab} counts={{ conversation: view.items.length }} />
      {tab === 'request' && (
        <>
          <ProductionSteps steps={view.steps} />
          <AskedFor view={view} />
          <KeysOf view={view} />
        </>
      )}
      {tab === 'evidence' && (
        <>
          <Checks />
          <WhoAsks view={view} />
        </>
      )}
      {tab === 'conversation' && <Questions items={view.items} />}
      {tab === 'history' && <ProductionHistory view={view} />}
    </ReviewLayout>
  )
}

function ReviewClock({ clock }: Pick<ProductionKeyView, 'clock'>) {
  if (!clock) return null
  return (
    <Card padded="tight" id="clocks" title="Our promise: a decision in five business days">
      <p className="muted">
        {clock.state === 'paused' ? (
          'Paused until the developer answers. '
        ) : (
          <>
            Due <Moment at={clock.dueAt} as="deadline" />.{' '}
          </>
        )}
        {clock.usedDays} of {counted(clock.days, 'business day')} used.
      </p>
    </Card>
  )
}

function Checks() {
  return (
    <Card id="checks" title="What we check">
      <ul className="pad list">
        {Object.values(productionChecks).map(({ title, look }) => (
          <li key={title}>
            <b>{title}</b>
            <span className="sub">{look}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Questions({ items }: Pick<ProductionKeyView, 'items'>) {
  return (
    <Card id="asked" title="Questions and answers">
      {items.length === 0 && <p className="pad muted">No questions yet.</p>}
      <ul className="pad list">
        {items.map(({ id, text, answer }) => (
          <li key={id}>
            <p className="breaks">{text}</p>
            <p className="muted breaks">{answer ?? 'No answer yet.'}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
