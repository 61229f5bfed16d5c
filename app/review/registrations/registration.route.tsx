import { randomUUID } from 'node:crypto'
import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { reviewForms } from '../../../server/contract/forms/review.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { registrationKinds, stateNames } from '../../../server/contract/workflows/registration-workflow.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { findStepUp } from '../../lib/step-up.server.ts'
import { runAction } from '../../lib/submission.server.ts'
import { actorOf, getSession, page } from '../../services.server.ts'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'
import { PauseHistory, RegistrationClocks } from '../../shared/registrations/registration-clocks.tsx'
import { LintPanel } from './lint-panel.tsx'
import { OpsSteps, ReviewerSteps } from './review-decisions.tsx'
import { AskedItems, OrganizationEvidence, ReviewHistory, SubmittedForm } from './review-evidence.tsx'

export const meta: MetaFunction = () => [{ title: 'A registration · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const { registrations } = args.context.services
  const view = await registrations.reviews.get(args.params.registration ?? '', session)
  return {
    account: { name: session.account.name, email: session.account.email },
    ops: session.account.staffRole === 'ops',
    view,
    onceKey: randomUUID(),
    stepUp: findStepUp(args, session),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
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
    { to: () => ({ path: paths.reviewRegistration(registrationId), done: 'review_noted' }) },
  )
})

export default function ReviewRegistration() {
  const { account, ops, view, onceKey, stepUp } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHeader title={view.name || 'Without a name'}>
        {registrationKinds[view.kind]} by {view.organizationName}, {stateNames[view.state]}.{' '}
        <Link to={paths.reviewQueue}>Back to the queue</Link>
      </PageHeader>
      <Refusal />
      {view.unreachable && (
        <Banner tone="bad" title="We could not reach the developers.">
          A mail about this request was given up. The clocks go on.
        </Banner>
      )}
      {view.clocks.length > 0 && (
        <Card label="Clocks">
          <RegistrationClocks clocks={view.clocks} />
          {view.clocks.some(({ pauses }) => pauses.length > 0) && (
            <footer>
              <PauseHistory clocks={view.clocks} />
            </footer>
          )}
        </Card>
      )}
      <SubmittedForm view={view} />
      <OrganizationEvidence view={view} />
      {(view.kind === 'app' || view.kind === 'change') && <LintPanel report={view.report} />}
      <AskedItems view={view} />
      {view.conflict && !ops ? (
        <Banner tone="wait" title="Not for you to decide.">
          {view.conflict}
        </Banner>
      ) : stepUp ? (
        <Banner tone="turn" title="Decisions ask for proof that it is you, given just now.">
          <Link to={stepUp}>Confirm that it is you</Link>
        </Banner>
      ) : ops ? (
        <OpsSteps view={view} onceKey={onceKey} />
      ) : (
        <ReviewerSteps view={view} onceKey={onceKey} />
      )}
      <Card padded id="notes" title="Notes between us">
        {view.notes.length === 0 && <p className="muted">None. Developers never see them.</p>}
        <ul className="stack tight">
          {view.notes.map(({ at, by, text }) => (
            <li key={new Date(at).toISOString() + by}>
              <b>{by}</b>, <Moment at={at} />
              <p className="breaks">{text}</p>
            </li>
          ))}
        </ul>
        <ActionForm
          {...{ version: view.version, onceKey }}
          className="stack"
          intent="note"
          button="Add the note"
          busy="Saving"
          reason="A note, for colleagues"
          reasonName="text"
        />
      </Card>
      <ReviewHistory view={view} />
    </ConsoleFrame>
  )
}
