import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { reviewDecisionForm } from '../../server/contract/forms/keys.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import {
  declineCodes,
  infoCodes,
  type ReviewFlag,
  reviewFlags,
  reviewNoteMax,
} from '../../server/contract/workflows/key-review.ts'
import type { ReviewDecision } from '../../server/domain/keys/key-review.ts'
import { ActionForm, Refusal } from '../components/ui/action-form.tsx'
import { Card } from '../components/ui/card.tsx'
import { Checkboxes } from '../components/ui/choice.tsx'
import { Facts } from '../components/ui/facts.tsx'
import { optionsOf, TextArea } from '../components/ui/field.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { runAction } from '../lib/submission.server.ts'
import { actorOf, getSession, page } from '../services.server.ts'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'
import { levelNames } from '../shared/keys/key-names.ts'

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
  const actor = actorOf(args, await getSession(args, 'staff'))
  const { keys } = args.context.services
  const requestId = args.params.request ?? ''
  const decide = ({ version, ...decision }: { version: number } & ReviewDecision) =>
    keys.decide({ requestId, version, decision }, actor)
  return runAction(
    args,
    stepForms,
    {
      approve: (input) => decide({ kind: 'approve', ...input }),
      request_info: (input) => decide({ kind: 'request_info', ...input }),
      decline: (input) => decide({ kind: 'decline', ...input }),
    },
    { to: () => ({ path: paths.staff, done: 'review_decided' }) },
  )
})

const [approve, request_info, decline] = reviewDecisionForm.options
const stepForms = {
  approve: approve.omit({ decision: true }),
  request_info: request_info.omit({ decision: true }),
  decline: decline.omit({ decision: true }),
}

export default function KeyRequest() {
  const { account, request, flags, organization, requestedBy } = useLoaderData<typeof loader>()
  const open = request.state === 'manual_review'
  const once = { version: request.version, onceKey: `decision-${request.version}` }
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHeader title={request.name}>
        <Link to={paths.staff}>Back to the queue</Link>
      </PageHeader>
      <Refusal title="Not decided." />
      <Card padded id="why" title="Why it is here">
        <ul className="stack tight">
          {flags.map((flag) => (
            <li key={flag}>{flag}</li>
          ))}
        </ul>
        <h2>What was asked</h2>
        <p className="breaks">{request.projectDescription}</p>
        <Facts
          of={{
            Organization: (
              <>
                {organization.name}, since <Moment at={organization.createdAt} as="date" />
              </>
            ),
            'Asked by': (
              <>
                {requestedBy.name}, {requestedBy.email}
              </>
            ),
            'Technical contact': request.technicalContact,
            Level: levelNames[request.level],
            'Asked on': <Moment at={request.createdAt} />,
          }}
        />
      </Card>
      {!open ? (
        <p>This request is decided, or waits for the developer.</p>
      ) : request.mine ? (
        <p>You belong to this organization: a colleague decides.</p>
      ) : (
        <>
          <ActionForm
            {...once}
            intent="approve"
            title="Approve"
            button="Approve the request"
            busy="Approving"
            look="primary"
          >
            <p>The key is made and the claim link leaves at once.</p>
          </ActionForm>
          <Decision
            {...once}
            intent="request_info"
            title="Ask for more"
            codes={infoCodes}
            button="Ask the developer"
          />
          <Decision
            {...once}
            intent="decline"
            title="Decline"
            codes={declineCodes}
            button="Decline the request"
          />
        </>
      )}
    </ConsoleFrame>
  )
}

interface DecisionProps {
  intent: string
  title: string
  codes: Readonly<Record<string, string>>
  version: number
  onceKey: string
  button: string
}

/** Coded reasons, and words to the developer if there are any. */
function Decision({ title, codes, ...form }: DecisionProps) {
  return (
    <ActionForm {...form}>
      <Checkboxes name="codes" legend={<h2>{title}</h2>} options={optionsOf(codes)} />
      <TextArea name="note" label="Words to the developer (optional)" maxLength={reviewNoteMax} />
    </ActionForm>
  )
}
