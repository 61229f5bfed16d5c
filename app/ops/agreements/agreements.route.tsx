import { useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { z } from 'zod'
import { agreementForms } from '../../../server/contract/forms/agreements.ts'
import { Problem } from '../../../server/contract/http/problems.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { agreementStateNames, executedStates } from '../../../server/contract/workflows/agreement-workflow.ts'
import { agreementKinds, serviceParty } from '../../../server/contract/workflows/agreements.ts'
import type { ListedAgreement } from '../../../server/domain/agreements/read-agreements.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { TextArea } from '../../components/ui/form.tsx'
import { FileText } from '../../components/ui/icons.ts'
import { ListSearch, Pager } from '../../components/ui/list.tsx'
import { Card, EmptyState, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import type { Done } from '../../lib/flash.ts'
import { markdownToHtml } from '../../lib/markdown.server.ts'
import { runAction } from '../../lib/submission.server.ts'
import { actorOf, findStepUp, getSession, page } from '../../services.server.ts'
import { Hash, LastDay, PartyFields, SignatureChecks } from '../../shared/agreements/signature-fields.tsx'

export const meta = () => [{ title: 'Agreements · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'staff')
  if (session.account.staffRole !== 'ops') throw data(null, { status: 404 })
  const { agreements } = args.context.services
  const actor = actorOf(args, session)
  const query = new URL(args.request.url).searchParams
  const waiting = await agreements.listForCounterSignature(
    readPageAsk(query, { q: 'q', page: 'unsigned-page' }),
  )
  const standing = await agreements.listForOperations(actor, readPageAsk(query))
  return {
    stepUp: findStepUp(args, session),
    q: standing.q,
    standing,
    onceKey: crypto.randomUUID(),
    waiting: {
      ...waiting,
      rows: await Promise.all(
        waiting.rows.map(async ({ id, version, organization, signed }) => {
          const { offered } = await agreements.read(id, actor)
          const html = markdownToHtml((offered.markdown ?? '').replace(/^(#+) /gm, '##$1 '))
          return {
            id,
            version,
            organization: organization.name,
            signedAt: signed[0]?.at ?? null,
            number: offered.number,
            sha256: offered.sha256,
            html,
          }
        }),
      ),
    },
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
      counterSign: async ({ agreement: agreementId, ...input }) => {
        const outcome = await agreements.counterSign({ agreementId, ...input }, actor)
        if (outcome.kind === 'changed') throw new Problem('conflict', { message: outcome.message })
      },
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
  counterSign: agreementForms.counterSign.extend({ agreement }),
  withdraw: agreementForms.withdraw.extend({ agreement }),
  terminate: agreementForms.terminate.extend({ agreement }),
}

function doneFor(intent: keyof typeof stepForms, notice: boolean): Done {
  if (intent === 'counterSign') return 'agreement_executed'
  if (intent === 'withdraw') return 'agreement_withdrawn'
  return notice ? 'agreement_notice' : 'agreement_ended'
}

export default function CounterSignatures() {
  const { stepUp, q, waiting: unsigned, standing, onceKey } = useLoaderData<typeof loader>()
  const waiting = unsigned.rows
  return (
    <>
      <PageHeader title="Agreements">
        Usage agreements that need our signature, and all agreements that are open or in force.
      </PageHeader>
      <Refusal />
      {(q !== '' || unsigned.pages > 1 || standing.pages > 1) && (
        <ListSearch label="Organization or practice" q={q} />
      )}
      {q !== '' && unsigned.total + standing.total === 0 && (
        <p className="muted">No agreement matches “{q}”.</p>
      )}
      {q === '' && waiting.length === 0 && (
        <EmptyState icon={FileText} title="No agreements to sign">
          If the policy countersigns automatically, none are listed here.
        </EmptyState>
      )}
      {waiting.map((each) => (
        <Card
          key={each.id}
          id={each.id}
          title={each.organization}
          aside={
            each.signedAt && (
              <p className="small muted">
                Signed <Moment at={each.signedAt} />
              </p>
            )
          }
        >
          <details className="pad">
            <summary>Read agreement</summary>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text; its fields are escaped by merge-text.ts, its HTML by markdown.server.ts */}
            <article className="prose agreement mt-3" dangerouslySetInnerHTML={{ __html: each.html }} />
          </details>
          <ActionForm
            intent="counterSign"
            row={{ name: 'agreement', id: each.id }}
            version={each.version}
            onceKey={`${onceKey}-${each.id.slice(-6)}`}
            button="Counter-sign"
            busy="Signing"
            look="primary"
            stepUp={{ to: stepUp, label: 'Confirm your password to sign' }}
            className="pad stack border-t"
          >
            <input type="hidden" name="number" value={each.number} />
            <input type="hidden" name="sha256" value={each.sha256} />
            <Hash label="SHA-256 of the document to sign" value={each.sha256} />
            <PartyFields label={`Your legal name, for ${serviceParty.legalName}`} />
            <SignatureChecks />
          </ActionForm>
        </Card>
      ))}
      <Pager label="agreements to sign" listed={unsigned} name="unsigned-page" />
      <StandingAgreements standing={standing.rows} onceKey={onceKey} stepUp={stepUp} />
      <Pager label="agreements" listed={standing} />
    </>
  )
}

interface StandingProps {
  standing: readonly ListedAgreement[]
  onceKey: string
  stepUp: string | null
}

/** Everything that operations may withdraw or end, each with its form folded away. */
function StandingAgreements({ standing, ...shared }: StandingProps) {
  if (standing.length === 0) return null
  return (
    <Card id="standing" title="Open or in force">
      <ul className="stack pad">
        {standing.map((each) => (
          <li key={each.id} className="stack tight">
            <p>
              <strong>{agreementKinds[each.kind]}</strong>, {partiesOf(each)}
              <span className="sub">
                {agreementStateNames[each.state]}
                {each.endsAt !== null && (
                  <>
                    , until <Moment at={each.endsAt} as="deadline" />
                  </>
                )}
              </span>
            </p>
            <EndByUs of={each} {...shared} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

const partiesOf = ({ organization, practice }: ListedAgreement) =>
  practice === null ? organization.name : `${organization.name} and ${practice.name}`

function EndByUs({ of, onceKey, stepUp }: Omit<StandingProps, 'standing'> & { of: ListedAgreement }) {
  const executed = executedStates.some((state) => state === of.state)
  const word = executed ? 'End agreement' : 'Withdraw agreement'
  const parties = partiesOf(of)
  // The same two parties can have several.
  const label = `${word}: ${agreementKinds[of.kind]}, ${parties}, number ${of.id.slice(0, 8)}`
  return (
    <ActionForm
      intent={executed ? 'terminate' : 'withdraw'}
      row={{ name: 'agreement', id: of.id }}
      version={of.version}
      onceKey={`${onceKey}-${of.id.slice(-6)}`}
      folded={
        <>
          {word}
          <span className="sr">
            : {agreementKinds[of.kind]}, {parties}
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
