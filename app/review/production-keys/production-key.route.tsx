import { randomUUID } from 'node:crypto'
import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { data } from '@remix-run/server-runtime'
import { productionReviewForms } from '../../../server/contract/forms/production-keys.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { productionChecks } from '../../../server/contract/workflows/production-key-review.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { counted } from '../../lib/dates.ts'
import { findStepUp } from '../../lib/step-up.server.ts'
import { runAction } from '../../lib/submission.server.ts'
import { actorOf, getSession, page } from '../../services.server.ts'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'
import {
  AskedFor,
  FactsNow,
  KeysOf,
  levelWords,
  ProductionHistory,
  ProductionSteps,
  StateTag,
  WhoAsks,
  WhySuspended,
} from '../../shared/production-keys/production-parts.tsx'
import { ProductionReviewActs } from './production-review-acts.tsx'

export const meta: MetaFunction = () => [{ title: 'A production key · Sandpiper' }]

async function getRequest(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const session = await getSession(args, 'staff')
  const actor = actorOf(args, session)
  const view = await args.context.services.productionKeys.get(args.params.request ?? '', actor)
  if (view.party !== 'reviewer' && view.party !== 'ops') throw data(null, { status: 404 })
  return { session, actor, view }
}

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, view } = await getRequest(args)
  return {
    account: { name: session.account.name, email: session.account.email },
    view,
    onceKey: randomUUID(),
    stepUp: findStepUp(args, session),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
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
    { to: () => ({ path: paths.reviewProductionKey(requestId), done: 'review_noted' }) },
  )
})

export default function ReviewProductionKey() {
  const { account, view, onceKey, stepUp } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHeader title={`${view.organization.name}: ${view.name}`}>
        <StateTag state={view.state} /> {levelWords[view.level]}, at{' '}
        {view.practice?.name ?? view.practiceSlug}. <Link to={paths.productionQueue}>Back to the queue</Link>
      </PageHeader>
      <ProductionSteps steps={view.steps} />
      <Refusal />
      {view.clock && (
        <Banner
          tone="wait"
          title={`${view.clock.usedDays} of ${counted(view.clock.days, 'business day')} used.`}
        >
          {view.clock.state === 'paused' ? (
            'The clock stands still until the developers answer.'
          ) : (
            <>
              Due <Moment at={view.clock.dueAt} as="deadline" />.
            </>
          )}
        </Banner>
      )}
      <WhySuspended view={view} />
      <div className="grid main-aside">
        <div className="stack">
          <AskedFor view={view} />
          <WhoAsks view={view} />
          <Card id="checks" title="What we look at">
            <ul className="pad list">
              {Object.values(productionChecks).map(({ title, look }) => (
                <li key={title}>
                  <b>{title}</b>
                  <span className="sub">{look}</span>
                </li>
              ))}
            </ul>
          </Card>
          {view.items.length > 0 && (
            <Card id="asked" title="Asked and answered">
              <ul className="pad list">
                {view.items.map(({ id, text, answer }) => (
                  <li key={id}>
                    <p className="breaks">{text}</p>
                    <p className="muted breaks">{answer ?? 'No answer yet.'}</p>
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {view.conflict ? (
            <Banner tone="wait" title="Not for you to decide.">
              {view.conflict}
            </Banner>
          ) : (
            <ProductionReviewActs view={view} onceKey={onceKey} stepUp={stepUp} />
          )}
        </div>
        <div className="stack aside">
          <FactsNow view={view} />
          <KeysOf view={view} />
          <ProductionHistory view={view} />
        </div>
      </div>
    </ConsoleFrame>
  )
}
