import type { ReactElement } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { productionKeyTimes } from '../../../server/contract/workflows/production-key-workflow.ts'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { LinkButton } from '../../components/ui/button.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { counted } from '../../lib/dates.ts'

interface NextProps {
  view: ProductionKeyView
  slug: string
}

const next: Partial<Record<ProductionKeyView['state'], (props: NextProps) => ReactElement | null>> = {
  draft: Draft,
  sponsor_invited: Invited,
  renewal_invited: Invited,
  sponsor_expired: NotAnswered,
  security_hold: OnHold,
  sponsor_confirmed: UsageAgreement,
  agreement_signed: CounterSignature,
  baa_pending: Baa,
  baa_half: Baa,
  baa_negotiation: Baa,
  stalled: Baa,
  agreement_executed: Baa,
  baa_executed: InReview,
  in_review: InReview,
  approved: InReview,
  needs_info: Asked,
  ready_to_claim: Claim,
  claim_expired: ClaimExpired,
  rejected: Rejected,
  active: Working,
  rotating: Working,
}

/** The one thing that comes next for the developers, or whose turn it is instead. */
export function DeveloperNext(props: NextProps) {
  const Next = next[props.view.state]
  return Next ? <Next {...props} /> : null
}

function Draft() {
  return (
    <Banner tone="turn" who="Your turn." title="Fill it in, look it over, and send it to the practice.">
      Only your organization sees it so far. If you do nothing, it stays a draft.
    </Banner>
  )
}

function Invited({ view }: NextProps) {
  const practice = practiceOf(view)
  return (
    <Banner tone="wait" title={`Nothing for you to do now. ${practice} answers next.`}>
      Its admins were asked
      {view.lapsesAt && (
        <>
          {' '}
          and can answer until <Moment at={view.lapsesAt} />
        </>
      )}
      . We remind them; if nobody answers, you can ask again.
    </Banner>
  )
}

function NotAnswered({ view }: NextProps) {
  const practice = practiceOf(view)
  return (
    <Banner
      tone="turn"
      who="Your turn."
      title={`${practice} did not answer in ${productionKeyTimes.sponsorDays} days.`}
    >
      Talk to them, then ask again. If you do nothing, the request stays here.
    </Banner>
  )
}

function OnHold({ view }: NextProps) {
  const practice = practiceOf(view)
  return (
    <Banner tone="wait" title={`${practice} does not know of this request.`}>
      We are looking into it and write to you. Nothing moves until then.
    </Banner>
  )
}

function UsageAgreement({ view, slug }: NextProps) {
  return (
    <Banner
      tone="turn"
      who="Your turn."
      title={`${view.signatory.name} signs the usage agreement.`}
      action={paper(slug, view.documents.usageAgreementId, 'Read and sign')}
    >
      Signing it accepts the usage policy, too. The BAA comes next. After 60 silent days the request ends.
    </Banner>
  )
}

function CounterSignature() {
  return (
    <Banner tone="wait" title="Nothing for you to do now. We counter-sign next.">
      Then the BAA is offered to both sides.
    </Banner>
  )
}

function Baa({ view, slug }: NextProps) {
  const practice = practiceOf(view)
  return (
    <Banner
      tone={signed(view, 'developer') ? 'wait' : 'turn'}
      who={signed(view, 'developer') ? undefined : 'Your turn.'}
      title={
        signed(view, 'developer')
          ? `Nothing for you to do now. ${view.practiceSignatory?.name ?? practice} signs the BAA next.`
          : `${view.signatory.name} and ${view.practiceSignatory?.name ?? practice} sign the BAA, in any order.`
      }
      action={paper(slug, view.documents.baaId, signed(view, 'developer') ? 'Read the BAA' : 'Read and sign')}
    >
      We remind both after 7, 14 and 21 silent days; after 30 it counts as stalled, after 60 the request ends.
    </Banner>
  )
}

function InReview({ view }: NextProps) {
  return (
    <Banner tone="wait" title="Nothing for you to do now. We review it.">
      {view.clock && (
        <>
          Due <Moment at={view.clock.dueAt} as="deadline" />; {view.clock.usedDays} of{' '}
          {counted(view.clock.days, 'business day')} used.{' '}
        </>
      )}
      {view.level === 'full' && 'Two reviewers decide on full.'}
    </Banner>
  )
}

function Asked({ view }: NextProps) {
  return (
    <Banner tone="turn" who="Your turn." title="A reviewer asks for something.">
      The clock stands still until you answer
      {view.lapsesAt && (
        <>
          ; on <Moment at={view.lapsesAt} /> the request ends
        </>
      )}
      .
    </Banner>
  )
}

function Claim({ view }: NextProps) {
  return view.mine ? (
    <Banner
      tone="turn"
      who="Your turn."
      title="The key can be claimed."
      action={
        <LinkButton look="primary" to={`/developers/production-keys/claim?request=${view.id}`}>
          Claim the key
        </LinkButton>
      }
    >
      It is shown once, to you alone
      {view.claimExpiresAt && (
        <>
          , until <Moment at={view.claimExpiresAt} />
        </>
      )}
      .
    </Banner>
  ) : (
    <Banner tone="wait" title={`${view.requestedBy} claims the key.`}>
      Only the person who requested the key sees its secret.
    </Banner>
  )
}

function ClaimExpired({ view }: NextProps) {
  return (
    <Banner tone="turn" who="Your turn." title="The claim link ended before the key was claimed.">
      The person who requested the key can have a new link sent, {counted(view.reissuesLeft, 'time')} more.
    </Banner>
  )
}

function Rejected({ view }: NextProps) {
  return (
    <Banner tone="bad" title="Two reviewers rejected it.">
      Their reasons stand below. You can appeal for 30 days.
    </Banner>
  )
}

function Working({ view }: NextProps) {
  return view.expiresAt ? (
    <Banner tone="ok" title="The key works.">
      It ends on <Moment at={view.expiresAt} />. {view.openRenewalId ? 'A renewal is with the practice.' : ''}
    </Banner>
  ) : null
}

const practiceOf = ({ practice }: ProductionKeyView) => practice?.name ?? 'The practice'

function paper(slug: string, id: string | null, label: string) {
  return id ? (
    <LinkButton look="primary" to={paths.agreement(slug, id)}>
      {label}
    </LinkButton>
  ) : undefined
}

function signed(view: ProductionKeyView, side: 'developer' | 'practice'): boolean {
  const baa = view.agreements.find(({ id }) => id === view.documents.baaId)
  return baa?.signed.some((each) => each.side === side) ?? false
}
