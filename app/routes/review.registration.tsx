import { randomUUID } from 'node:crypto'
import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import {
  isReviewIntent,
  type ReviewIntent,
  reviewForms,
  toReviewInput,
} from '../../server/contract/forms-review.ts'
import { paths } from '../../server/contract/paths.ts'
import { isProblem } from '../../server/contract/problems.ts'
import { registrationKinds, stateNames } from '../../server/contract/registration-workflow.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { RegistrationReviews } from '../../server/domain/registrations/registration-types.ts'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { PauseHistory, RegistrationClocks } from '../components/records/registration-clocks.tsx'
import { LintPanel } from '../components/records/registration-lint.tsx'
import { OpsSteps, ReviewerSteps, Words } from '../components/records/review-decisions.tsx'
import {
  AskedItems,
  OrganizationEvidence,
  ReviewHistory,
  SubmittedForm,
} from '../components/records/review-evidence.tsx'
import { Banner } from '../components/ui/banner.tsx'
import { SubmitButton } from '../components/ui/button.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { doneCookie } from '../flash.ts'
import { actorOf, getSession, page } from '../services.server.ts'
import { findStepUp } from '../step-up.server.ts'
import { readFields } from '../submission.server.ts'

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
  const session = await getSession(args, 'staff')
  const fields = await readFields(args.request, 60)
  const intent = fields.get('intent')
  if (!isReviewIntent(intent)) throw data({ message: 'The form did not arrive whole.' }, { status: 400 })
  const parsed = reviewForms[intent].safeParse(toReviewInput(fields))
  if (!parsed.success) return wrong(parsed.error.issues[0]?.message ?? 'This does not fit.', 400)
  const registrationId = args.params.registration ?? ''
  try {
    const wanted = { registrationId, ...parsed.data }
    await steps[intent](args.context.services.registrations.reviews, wanted as never, actorOf(args, session))
  } catch (thrown) {
    if (!isProblem(thrown) || ![400, 403, 409].includes(thrown.status)) throw thrown
    return wrong(thrown.message, thrown.status)
  }
  return redirect(paths.reviewRegistration(registrationId), {
    headers: { 'set-cookie': doneCookie('review_noted') },
  })
})

/** What each form asks of the domain. */
const steps: {
  [Intent in ReviewIntent]: (reviews: RegistrationReviews, input: never, actor: Actor) => Promise<void>
} = {
  claim: (reviews, input, actor) => reviews.claim(input, actor),
  verify: (reviews, input, actor) => reviews.verifyAuthenticity(input, actor),
  validate: (reviews, input, actor) => reviews.validateConfiguration(input, actor),
  ask: (reviews, input, actor) => reviews.requestInfo(input, actor),
  approve: (reviews, input, actor) => reviews.approve(input, actor),
  propose: (reviews, input, actor) => reviews.proposeRejection(input, actor),
  dismiss: (reviews, input, actor) => reviews.dismissRejection(input, actor),
  reject: (reviews, input, actor) => reviews.reject(input, actor),
  note: (reviews, input, actor) => reviews.note(input, actor),
  suspend: (reviews, input, actor) => reviews.suspend(input, actor),
  reinstate: (reviews, input, actor) => reviews.reinstate(input, actor),
  retire: (reviews, input, actor) => reviews.retire(input, actor),
  retry: (reviews, input, actor) => reviews.retry(input, actor),
}

function wrong(message: string, status: number) {
  return data({ wrong: message }, { status })
}

export default function ReviewRegistration() {
  const { account, ops, view, onceKey, stepUp } = useLoaderData<typeof loader>()
  const fault = useActionData<typeof action>()?.wrong
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHead title={view.name || 'Without a name'}>
        {registrationKinds[view.kind]} by {view.organizationName}, {stateNames[view.state]}.{' '}
        <Link to={paths.reviewQueue}>Back to the queue</Link>
      </PageHead>
      {fault && (
        <Banner tone="bad" title="Not done.">
          {fault}
        </Banner>
      )}
      {view.unreachable && (
        <Banner tone="bad" title="We could not reach the developers.">
          A mail about this request was given up. The clocks go on.
        </Banner>
      )}
      {view.clocks.length > 0 && (
        <section className="card" aria-label="Clocks">
          <RegistrationClocks clocks={view.clocks} />
          {view.clocks.some(({ pauses }) => pauses.length > 0) && (
            <footer>
              <PauseHistory clocks={view.clocks} />
            </footer>
          )}
        </section>
      )}
      <SubmittedForm view={view} />
      <OrganizationEvidence view={view} />
      {(view.kind === 'app' || view.kind === 'change') && <LintPanel report={view.report} whole />}
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
      <section className="card pad stack" aria-labelledby="notes">
        <h2 id="notes">Notes between us</h2>
        {view.notes.length === 0 && <p className="muted">None. Developers never see them.</p>}
        <ul className="stack tight">
          {view.notes.map(({ at, by, text }) => (
            <li key={new Date(at).toISOString() + by}>
              <b>{by}</b>, <Moment at={at} />
              <p className="breaks">{text}</p>
            </li>
          ))}
        </ul>
        <Form method="post" className="stack">
          <Words name="text" label="A note, for colleagues" id="note" intent="note" />
          <div>
            <SubmitButton look="outline" name="intent" value="note" busy="Saving">
              Add the note
            </SubmitButton>
          </div>
        </Form>
      </section>
      <ReviewHistory view={view} />
    </ConsoleFrame>
  )
}
