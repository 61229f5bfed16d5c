import { useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { z } from 'zod'
import { agreementForms } from '../../../server/contract/forms/agreements.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { agreementStateNames, executedStates } from '../../../server/contract/workflows/agreement-workflow.ts'
import { agreementKinds } from '../../../server/contract/workflows/agreements.ts'
import type { ListedAgreement } from '../../../server/domain/agreements/read-agreements.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { TextArea } from '../../components/ui/form.tsx'
import { FileText } from '../../components/ui/icons.ts'
import { Pager, SearchedList } from '../../components/ui/list.tsx'
import { Card, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import type { Done } from '../../lib/flash.ts'
import { runAction } from '../../lib/submission.server.ts'
import { actorOf, findStepUp, getSession, page } from '../../services.server.ts'
import { LastDay } from '../../shared/agreements/signature-fields.tsx'

export const meta = () => [{ title: 'Agreements · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'staff')
  if (session.account.staffRole !== 'ops') throw data(null, { status: 404 })
  const { agreements } = args.context.services
  const actor = actorOf(args, session)
  const query = new URL(args.request.url).searchParams
  const listed = await agreements.listForOperations(actor, readPageAsk(query))
  return {
    stepUp: findStepUp(args, session),
    listed,
    onceKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const session = await getSession(args, 'staff')
  const actor = actorOf(args, session)
  const { agreements } = args.context.services
  let notice = false
  return runAction(
    args,
    stepForms,
    {
      withdraw: ({ agreement: agreementId, ...input }) =>
        agreements.withdraw({ agreementId, ...input }, actor),
      terminate: ({ agreement: agreementId, effectiveOn, ...input }) => {
        notice = effectiveOn !== ''
        return agreements.terminate({ agreementId, ...input, effectiveOn: effectiveOn || null }, actor)
      },
    },
    { to: (intent) => ({ path: paths.staffAgreements, done: doneFor(intent, notice) }), session },
  )
})

const agreement = z.string().default('')
/** Each row of the page has a form of its own. */
const stepForms = {
  withdraw: agreementForms.withdraw.extend({ agreement }),
  terminate: agreementForms.terminate.extend({ agreement }),
}

function doneFor(intent: keyof typeof stepForms, notice: boolean): Done {
  if (intent === 'withdraw') return 'agreement_withdrawn'
  return notice ? 'agreement_notice' : 'agreement_ended'
}

export default function Agreements() {
  const { stepUp, listed, onceKey } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Agreements">All agreements that are open or in force.</PageHeader>
      <Refusal />
      <SearchedList
        listed={listed}
        search="Organization or practice"
        one="agreement"
        icon={FileText}
        title="No agreements"
        empty="Usage agreements and business associate agreements are listed here once they are offered."
      >
        <AgreementList listed={listed.rows} onceKey={onceKey} stepUp={stepUp} />
        <Pager label="agreements" listed={listed} />
      </SearchedList>
    </>
  )
}

interface ListProps {
  listed: readonly ListedAgreement[]
  onceKey: string
  stepUp: string | null
}

/** Agreements that operations may withdraw or end, each with a folded form. */
function AgreementList({ listed, ...shared }: ListProps) {
  return (
    <Card id="standing" title="Open or in force">
      <ul className="stack pad">
        {listed.map((agreement) => (
          <li key={agreement.id} className="stack tight">
            <p>
              <strong>{agreementKinds[agreement.kind]}</strong>, {partiesOf(agreement)}
              <span className="sub">
                {agreementStateNames[agreement.state]}
                {agreement.endsAt !== null && (
                  <>
                    , until <Moment at={agreement.endsAt} as="deadline" />
                  </>
                )}
              </span>
            </p>
            <EndByUs agreement={agreement} {...shared} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

const partiesOf = ({ organization, practice }: ListedAgreement) =>
  practice === null ? organization.name : `${organization.name} and ${practice.name}`

function EndByUs({ agreement, onceKey, stepUp }: Omit<ListProps, 'listed'> & { agreement: ListedAgreement }) {
  const executed = executedStates.some((state) => state === agreement.state)
  const word = executed ? 'End agreement' : 'Withdraw agreement'
  const parties = partiesOf(agreement)
  // The number is part of the label, because two parties can have several agreements.
  const label = `${word}: ${agreementKinds[agreement.kind]}, ${parties}, number ${agreement.id.slice(0, 8)}`
  return (
    <ActionForm
      intent={executed ? 'terminate' : 'withdraw'}
      row={{ name: 'agreement', id: agreement.id }}
      version={agreement.version}
      onceKey={`${onceKey}-${agreement.id.slice(-6)}`}
      folded={
        <>
          {word}
          <span className="sr">
            : {agreementKinds[agreement.kind]}, {parties}
          </span>
        </>
      }
      label={label}
      button={word}
      look="danger"
      stepUp={{ to: executed ? stepUp : null, label: 'Confirm your password first' }}
    >
      {executed && <p>Production keys that depend on this agreement stop when it ends.</p>}
      <TextArea
        name="comment"
        label="Reason"
        maxLength={2_000}
        hint="Both sides see this, and it stays in the history. At least 10 characters."
      />
      {executed && <LastDay />}
    </ActionForm>
  )
}
