import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { reviewDecisionForm } from '../../server/contract/forms-keys.ts'
import {
  declineCodes,
  infoCodes,
  type ReviewFlag,
  reviewFlags,
  reviewNoteMax,
} from '../../server/contract/key-review.ts'
import { paths } from '../../server/contract/paths.ts'
import { isProblem } from '../../server/contract/problems.ts'
import type { ReviewDecision } from '../../server/domain/keys/key-review.ts'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { levelNames } from '../components/records/key-names.ts'
import { Banner } from '../components/ui/banner.tsx'
import { SubmitButton } from '../components/ui/button.tsx'
import { Card } from '../components/ui/card.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { TextWarning } from '../components/ui/text-warning.tsx'
import { doneCookie } from '../flash.ts'
import { actorOf, getSession, page } from '../services.server.ts'
import { readFields } from '../submission.server.ts'

export const meta: MetaFunction = () => [{ title: 'A key request · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { account, accountId } = await getSession(args, 'staff')
  const requestId = args.params.request ?? ''
  const request = await args.context.services.keys.getReview({ requestId }, { accountId })
  const { name, level, state, version, flags, projectDescription, technicalContact, createdAt, mine } =
    request
  return {
    account: { name: account.name, email: account.email },
    request: { name, level, state, version, projectDescription, technicalContact, createdAt, mine },
    flags: flags.map((flag) => reviewFlags[flag as ReviewFlag] ?? flag),
    organization: request.organization,
    requestedBy: request.requestedBy,
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const fields = await readFields(args.request)
  const parsed = reviewDecisionForm.safeParse({
    ...Object.fromEntries(fields),
    codes: fields.getAll('codes').map(String),
  })
  if (!parsed.success) {
    return data({ wrong: parsed.error.issues[0]?.message ?? 'This does not fit.' }, { status: 400 })
  }
  const { version, decision: kind, ...words } = parsed.data
  const decision = { kind, ...words } as ReviewDecision
  try {
    const wanted = { requestId: args.params.request ?? '', version, decision }
    await args.context.services.keys.decide(wanted, actorOf(args, session))
  } catch (thrown) {
    if (!isProblem(thrown) || (thrown.status !== 400 && thrown.status !== 409)) throw thrown
    return data({ wrong: thrown.message }, { status: thrown.status })
  }
  return redirect(paths.staff, { headers: { 'set-cookie': doneCookie('review_decided') } })
})

export default function KeyRequest() {
  const { account, request, flags, organization, requestedBy } = useLoaderData<typeof loader>()
  const wrong = useActionData<typeof action>()?.wrong
  const open = request.state === 'manual_review'
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHeader title={request.name}>
        <Link to={paths.staff}>Back to the queue</Link>
      </PageHeader>
      {wrong && (
        <Banner tone="bad" title="Not decided.">
          {wrong}
        </Banner>
      )}
      <Card padded id="why" title="Why it is here">
        <ul className="stack tight">
          {flags.map((flag) => (
            <li key={flag}>{flag}</li>
          ))}
        </ul>
        <h2>What was asked</h2>
        <p className="breaks">{request.projectDescription}</p>
        <dl className="facts">
          <dt>Organization</dt>
          <dd>
            {organization.name}, since <Moment at={organization.createdAt} as="date" />
          </dd>
          <dt>Asked by</dt>
          <dd>
            {requestedBy.name}, {requestedBy.email}
          </dd>
          <dt>Technical contact</dt>
          <dd>{request.technicalContact}</dd>
          <dt>Level</dt>
          <dd>{levelNames[request.level]}</dd>
          <dt>Asked on</dt>
          <dd>
            <Moment at={request.createdAt} />
          </dd>
        </dl>
      </Card>
      {!open ? (
        <p>This request is decided, or waits for the developer.</p>
      ) : request.mine ? (
        <p>You belong to this organization: a colleague decides.</p>
      ) : (
        <>
          <Form method="post" className="card pad stack">
            <h2>Approve</h2>
            <p>The key is made and the claim link leaves at once.</p>
            <input type="hidden" name="version" value={request.version} />
            <div>
              <SubmitButton name="decision" value="approve" busy="Approving">
                Approve the request
              </SubmitButton>
            </div>
          </Form>
          <Decision
            decision="request_info"
            title="Ask for more"
            codes={infoCodes}
            version={request.version}
            button="Ask the developer"
          />
          <Decision
            decision="decline"
            title="Decline"
            codes={declineCodes}
            version={request.version}
            button="Decline the request"
          />
        </>
      )}
    </ConsoleFrame>
  )
}

interface DecisionProps {
  decision: string
  title: string
  codes: Readonly<Record<string, string>>
  version: number
  button: string
}

/** Coded reasons, and words to the developer if there are any. */
function Decision({ decision, title, codes, version, button }: DecisionProps) {
  return (
    <Form method="post" className="card pad stack">
      <input type="hidden" name="version" value={version} />
      <fieldset className="choices">
        <legend>
          <h2>{title}</h2>
        </legend>
        {Object.entries(codes).map(([code, sentence]) => (
          <label className="check" key={code}>
            <input type="checkbox" name="codes" value={code} />
            <span>{sentence}</span>
          </label>
        ))}
      </fieldset>
      <div className="field">
        <label htmlFor={`note-${decision}`}>Words to the developer (optional)</label>
        <textarea className="input" id={`note-${decision}`} name="note" rows={3} maxLength={reviewNoteMax} />
        <TextWarning field="note" intent={decision} />
      </div>
      <div>
        <SubmitButton look="outline" name="decision" value={decision} busy="Sending">
          {button}
        </SubmitButton>
      </div>
    </Form>
  )
}
