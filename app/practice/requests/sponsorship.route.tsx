import { type MetaFunction, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import type { ReactNode } from 'react'
import { sponsorForms } from '../../../server/contract/forms/production-keys.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  keyedStates,
  productionKeyTimes,
} from '../../../server/contract/workflows/production-key-workflow.ts'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { Banner, Card, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
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
import { SponsorActs } from './sponsor-acts.tsx'
import { ThreeChecks } from './three-checks.tsx'

export const meta: MetaFunction<typeof loader> = ({ data: found }) => [
  { title: `${found?.view.organization.name ?? 'A request'} · Sandpiper` },
]

const allowedParties: readonly string[] = ['sponsor', 'signatory']

/** The request, for admins and signatories of its practice. */
async function getRequest(args: PageArgs) {
  const session = await getSession(args, 'practice')
  const actor = actorOf(args, session)
  const view = await args.context.services.productionKeys.get(args.params.request ?? '', actor)
  if (!allowedParties.includes(view.party)) throw data(null, { status: 404 })
  return { session, actor, view }
}

export const loader = page(async (args) => {
  const { session, view } = await getRequest(args)
  const { clock } = args.context.services
  return {
    practice: view.practice && { slug: view.practice.slug },
    you: { name: session.account.name, email: session.account.email },
    view,
    onceKey: crypto.randomUUID(),
    /** Whether the request has become a key. Then the page belongs to those about access. */
    hasKey: keyedStates.includes(view.state),
    stepUp: findStepUp(args, session),
    reviewDueAt: reviewDueAt(view, clock()),
  }
})

const dayMs = 86_400_000

/** The deadline to confirm that the key is still needed; null before its year is over. */
function reviewDueAt({ party, state, certifiedAt }: ProductionKeyView, now: Date): Date | null {
  if (party !== 'sponsor' || certifiedAt === null || !keyedStates.includes(state)) return null
  const { recertifyEveryDays, recertifyWithinDays } = productionKeyTimes
  const reviewStartsAt = certifiedAt.getTime() + recertifyEveryDays * dayMs
  return reviewStartsAt > now.getTime() ? null : new Date(reviewStartsAt + recertifyWithinDays * dayMs)
}

export const action = page(async (args) => {
  const { actor, view } = await getRequest(args)
  const keys = args.context.services.productionKeys
  const requestId = view.id
  return runAction(
    args,
    sponsorForms,
    {
      confirm: (input) => keys.sponsors.confirm({ requestId, ...input }, actor),
      decline: (input) => keys.sponsors.decline({ requestId, ...input }, actor),
      notUs: (input) => keys.sponsors.notUs({ requestId, ...input }, actor),
      endSponsorship: (input) => keys.sponsors.endSponsorship({ requestId, ...input }, actor),
      takeOver: (input) => keys.sponsors.takeOver({ requestId, ...input }, actor),
      reconfirm: (input) => keys.sponsors.reconfirm({ requestId, ...input }, actor),
      suspend: (input) => keys.suspend({ requestId, ...input }, actor),
      reinstate: (input) => keys.reinstate({ requestId, ...input }, actor),
      revoke: (input) => keys.revoke({ requestId, ...input }, actor),
      recertify: (input) => keys.recertify({ requestId, ...input }, actor),
    },
    { to: (intent) => ({ path: paths.practiceSponsorship(requestId), done: doneFor(intent) }) },
  )
})

function doneFor(intent: string) {
  if (intent === 'confirm') return 'sponsor_confirmed'
  if (intent === 'suspend') return 'practice_suspended_key'
  if (intent === 'revoke') return 'practice_revoked_key'
  if (intent === 'recertify') return 'practice_certified'
  return intent === 'decline' || intent === 'notUs' ? 'sponsor_answered' : 'practice_key_works'
}

export default function Sponsorship() {
  const { you, view, onceKey, stepUp, reviewDueAt, hasKey } = useLoaderData<typeof loader>()
  const mustDecide = view.lapsesAt !== null && view.party === 'sponsor'
  const acts = <SponsorActs view={view} onceKey={onceKey} stepUp={stepUp} you={you} />
  const next = view.steps.find(({ state }) => state === 'here')
  return (
    <>
      <PageHeader title={`${view.organization.name}: ${view.name}`}>
        <StateTag state={view.state} /> {levelWords[view.level]}, for {view.practice?.name}
      </PageHeader>
      <Refusal />
      {mustDecide && view.lapsesAt && (
        <Banner tone="turn" title="Confirm, decline, or report the request.">
          By <Moment at={view.lapsesAt} as="deadline" />. If you do nothing,{' '}
          {view.renewsId ? 'the key expires as planned.' : 'the request expires and no key is created.'}
        </Banner>
      )}
      {!mustDecide && next?.holder && (
        <Banner tone="wait" title={`Next: ${next.title}`}>
          {next.holder}.{next.name === 'baa' && ` ${view.practiceSignatory?.name} signs for the practice.`}
        </Banner>
      )}
      {!mustDecide && <LeakedKeys view={view} />}
      <WhySuspended view={view} />
      {reviewDueAt && (
        <ActionForm
          intent="recertify"
          version={view.version}
          onceKey={onceKey}
          title="Annual review: is this key still needed?"
          button="Confirm for a year"
          look="primary"
          stepUp={{ to: stepUp, label: 'Confirm your password' }}
        >
          <p>
            Confirm by <Moment at={reviewDueAt} as="deadline" />, or end the sponsorship below. If you do
            nothing, the key is stopped until you confirm it.
          </p>
        </ActionForm>
      )}
      {mustDecide ? (
        <>
          <div className="grid g2">
            <div className="stack">
              <LeakedKeys view={view} />
              {view.history && (
                <Card padded id="check" title="Check three things">
                  <ThreeChecks view={view} history={view.history} />
                </Card>
              )}
            </div>
            {acts}
          </div>
          <details>
            <summary>The whole request, with the company’s security profile and the history</summary>
            <div className="mt-3">
              <Details view={view} />
            </div>
          </details>
        </>
      ) : (
        <Details view={view}>{acts}</Details>
      )}
      {!hasKey && <ProductionSteps steps={view.steps} />}
    </>
  )
}

function Details({ view, children }: { view: ProductionKeyView; children?: ReactNode }) {
  return (
    <div className="grid main-aside">
      <div className="stack">
        {children}
        <AskedFor view={view} />
        <WhoAsks view={view} />
      </div>
      <div className="stack aside">
        <KeysOf view={view} activity={paths.practiceRecordOf} />
        <FactsNow view={view} documents={paths.practiceAgreements} />
        <ProductionHistory view={view} />
      </div>
    </div>
  )
}
