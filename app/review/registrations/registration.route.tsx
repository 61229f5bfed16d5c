import { Link, useLoaderData } from '@remix-run/react'
import { reviewForms } from '../../../server/contract/forms/review.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { countFindings, type LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import { registrationKinds, stateNames } from '../../../server/contract/workflows/registration-workflow.ts'
import type { Clock } from '../../../server/domain/registrations/read-registration.ts'
import type { ReviewView } from '../../../server/domain/registrations/read-review.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { CircleCheck, Info, TriangleAlert } from '../../components/ui/icons.ts'
import { Banner, Card, Moment, PageHeader, Tag } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { runAction } from '../../lib/submission.server.ts'
import { actorOf, findStepUp, getSession, page } from '../../services.server.ts'
import { PauseHistory } from '../../shared/registrations/registration-clocks.tsx'
import { ConfirmBanner } from '../../shared/sign-in/confirm-first.tsx'
import { readQueueAndRisk, withQueue } from '../queue/queue.server.ts'
import { queueQuery } from '../queue/queue-query.ts'
import { RequestTabs, readTab } from '../queue/request-tabs.tsx'
import { ReviewLayout } from '../queue/review-layout.tsx'
import { Conversation } from './conversation.tsx'
import { Differences } from './differences.tsx'
import { OpsSteps, ReviewerSteps } from './review-decisions.tsx'
import { OrganizationEvidence, ReviewHistory, SubmittedForm } from './review-evidence.tsx'

export const meta = () => [{ title: 'Registration · Sandpiper' }]
export const handle = { rail: true }

const tabs = {
  request: 'Request',
  evidence: 'Evidence',
  differences: 'Differences',
  conversation: 'Conversation',
  history: 'History',
} as const

export const loader = page(async (args) => {
  const session = await getSession(args, 'staff')
  const { reviews } = args.context.services.registrations
  const tab = readTab(tabs, args.request)
  const withReport = tab === 'evidence'
  const view = await reviews.get(args.params.registration ?? '', session, { withReport })
  return {
    ops: session.account.staffRole === 'ops',
    view,
    ...(await readQueueAndRisk(args, session, { noun: 'registration', ...view })),
    tab,
    onceKey: crypto.randomUUID(),
    stepUp: findStepUp(args, session),
  }
})

export const action = page(async (args) => {
  const actor = actorOf(args, await getSession(args, 'staff'))
  const { reviews } = args.context.services.registrations
  const registrationId = args.params.registration ?? ''
  return runAction(
    args,
    reviewForms,
    {
      claim: (input) => reviews.claim({ registrationId, ...input }, actor),
      verify: (input) => reviews.verifyAuthenticity({ registrationId, ...input }, actor),
      validate: (input) => reviews.validateConfiguration({ registrationId, ...input }, actor),
      ask: (input) => reviews.requestInfo({ registrationId, ...input }, actor),
      approve: (input) => reviews.approve({ registrationId, ...input }, actor),
      propose: (input) => reviews.proposeRejection({ registrationId, ...input }, actor),
      dismiss: (input) => reviews.dismissRejection({ registrationId, ...input }, actor),
      reject: (input) => reviews.reject({ registrationId, ...input }, actor),
      note: (input) => reviews.note({ registrationId, ...input }, actor),
      suspend: (input) => reviews.suspend({ registrationId, ...input }, actor),
      reinstate: (input) => reviews.reinstate({ registrationId, ...input }, actor),
      retire: (input) => reviews.retire({ registrationId, ...input }, actor),
      retry: (input) => reviews.retry({ registrationId, ...input }, actor),
    },
    {
      to: (intent) => ({
        path: withQueue(args, paths.reviewRegistration(registrationId)),
        done: intent === 'ask' || intent === 'approve' ? `review_${intent}` : 'review_noted',
      }),
    },
  )
})

export default function ReviewRegistration() {
  const { view, queue, risk, tab, onceKey, ...reader } = useLoaderData<typeof loader>()
  const counts = { conversation: view.items.length + view.notes.length, differences: view.changes.length }
  return (
    <ReviewLayout
      queue={queue}
      risk={risk}
      current={view.id}
      head={
        <PageHeader title={view.name || 'Untitled'}>
          {registrationKinds[view.kind]} by {view.organizationName}, {stateNames[view.state]}.{' '}
          <Link to={paths.reviewQueue + queueQuery(queue.ask)}>Back to the queue</Link>
        </PageHeader>
      }
      notices={<Notices view={view} />}
      decision={
        <>
          <Steps view={view} onceKey={onceKey} {...reader} />
          <ClockLines clocks={view.clocks} />
        </>
      }
    >
      <RequestTabs tabs={tabs} current={tab} counts={counts} />
      {tab === 'request' && <SubmittedForm view={view} />}
      {tab === 'evidence' && (
        <>
          <OrganizationEvidence view={view} />
          {(view.kind === 'app' || view.kind === 'change') && <LintPanel report={view.report} />}
        </>
      )}
      {tab === 'differences' && <Differences view={view} />}
      {tab === 'conversation' && <Conversation view={view} onceKey={onceKey} />}
      {tab === 'history' && <ReviewHistory view={view} />}
    </ReviewLayout>
  )
}

function Notices({ view }: { view: ReviewView }) {
  return (
    <>
      <Refusal />
      {view.state === 'enabling' && (
        <Banner tone="wait" title="Next: the authorization server accepts the app.">
          We check that, usually within a minute, and try up to five times. The developer then gets the
          production client ID by email.
        </Banner>
      )}
      {view.unreachable && (
        <Banner tone="bad" title="An email to the developer could not be delivered.">
          The clocks keep running.
        </Banner>
      )}
    </>
  )
}

interface StepsProps {
  view: ReviewView
  onceKey: string
  ops: boolean
  stepUp: string | null
}

function Steps({ view, onceKey, ops, stepUp }: StepsProps) {
  if (view.conflict && !ops)
    return (
      <Banner tone="wait" title="You can’t decide on this.">
        {view.conflict}
      </Banner>
    )
  if (stepUp) return <ConfirmBanner to={stepUp} title="Confirm your password before you decide." />
  return ops ? <OpsSteps view={view} onceKey={onceKey} /> : <ReviewerSteps view={view} onceKey={onceKey} />
}

/** The linter's errors and hints, and the number of checks that passed. */
function LintPanel({ report }: { report: LintReport }) {
  const { errors, hints, passed } = countFindings(report)
  return (
    <section className="card" aria-labelledby="checks" id="lint">
      <div className="head">
        <h2 id="checks">Checks</h2>
        <span className="small muted">
          {counted(errors, 'error')}, {counted(hints, 'hint')}, {passed} pass
        </span>
      </div>
      <ul className="list pad">
        {report.findings.map(({ rule, severity, reason, fix }) => (
          <li className={severity === 'error' ? 'finding bad' : 'finding'} key={`${rule} ${reason}`}>
            {severity === 'error' ? <TriangleAlert className="i" /> : <Info className="i" />}
            <div>
              <p>
                <b>{reason}</b>
              </p>
              <p className="small muted">
                {severity === 'error' ? '' : 'Hint. '}
                {fix}
              </p>
            </div>
          </li>
        ))}
        <li className="finding ok">
          <CircleCheck className="i" />
          <div>
            <p>
              <b>{counted(passed, 'check')} pass</b>
            </p>
            <p className="small muted">{report.passed.join(' ')}</p>
          </div>
        </li>
      </ul>
    </section>
  )
}

const names = {
  promise: 'Our promise: enabled in five business days',
  authenticity: 'Organization check (10 business days)',
  enablement: 'App enablement (5 business days)',
} as const

/** Every clock in a line or two, beside the decision. */
function ClockLines({ clocks }: { clocks: readonly Clock[] }) {
  if (clocks.length === 0) return null
  return (
    <Card padded="tight" id="clocks" title="Clocks">
      <ul className="stack tight plain">
        {clocks.map((clock, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: clocks have no other name, and keep their order
          <li key={index}>
            <span className="row between">
              <b>{names[clock.kind]}</b>
              {clock.breachedAt && <Tag tone="bad">Overdue</Tag>}
            </span>
            <ClockLine clock={clock} />
          </li>
        ))}
      </ul>
      <PauseHistory clocks={clocks} />
    </Card>
  )
}

function ClockLine({ clock }: { clock: Clock }) {
  const used = `${clock.usedDays} of ${counted(clock.days, 'business day')} used`
  if (clock.state === 'stopped') return <p className="muted">Done, {used}.</p>
  if (clock.state === 'paused')
    return <p className="muted">Paused, {counted(clock.remainingDays, 'business day')} left.</p>
  return (
    <p className="muted">
      Due <Moment at={clock.dueAt} as="deadline" />. {used}.
    </p>
  )
}
