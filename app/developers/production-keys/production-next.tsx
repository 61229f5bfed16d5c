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
  needs_info: NeedsInfo,
  ready_to_claim: Claim,
  claim_expired: ClaimExpired,
  rejected: Rejected,
  active: Working,
  rotating: Working,
}

/** Shows the developer's next step, or who acts next. */
export function DeveloperNext(props: NextProps) {
  const Next = next[props.view.state]
  return Next ? <Next {...props} /> : null
}

function Draft() {
  return (
    <Banner tone="turn" who="Your turn." title="Complete the request, check it, and send it to the practice.">
      Only your organization can see it so far. If you do nothing, it stays a draft.
    </Banner>
  )
}

function Invited({ view }: NextProps) {
  const practice = practiceOf(view)
  return (
    <Banner tone="wait" title={`Nothing for you to do now. ${practice} answers next.`}>
      We asked its admins
      {view.lapsesAt && (
        <>
          . They can answer until <Moment at={view.lapsesAt} />
        </>
      )}
      . We send them reminders. If no one answers, you can send the invitation again.
    </Banner>
  )
}

function NotAnswered({ view }: NextProps) {
  const practice = practiceOf(view)
  return (
    <Banner
      tone="turn"
      who="Your turn."
      title={`${practice} didn’t answer within ${productionKeyTimes.sponsorDays} days.`}
    >
      Talk to the practice, then send the invitation again. If you do nothing, the request stays open.
    </Banner>
  )
}

function OnHold({ view }: NextProps) {
  const practice = practiceOf(view)
  return (
    <Banner tone="wait" title={`${practice} doesn’t recognize this request.`}>
      The request is on hold while we investigate. We email you the result.
    </Banner>
  )
}

function UsageAgreement({ view, slug }: NextProps) {
  return (
    <Banner
      tone="turn"
      who="Your turn."
      title={`${view.signatory.name} signs the usage agreement.`}
      action={link(slug, view.documents.usageAgreementId, 'Read and sign')}
    >
      It includes the usage policy. Next comes the BAA. After 60 days without activity, the request is
      withdrawn.
    </Banner>
  )
}

function CounterSignature() {
  return (
    <Banner tone="wait" title="Nothing for you to do now. We countersign next.">
      Then both sides get the BAA to sign.
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
      action={link(slug, view.documents.baaId, signed(view, 'developer') ? 'Read the BAA' : 'Read and sign')}
    >
      <OwnBaa view={view} />
      We send reminders after 7, 14 and 21 days. Without activity, the BAA stalls after 30 days and the
      request is withdrawn after 60.
    </Banner>
  )
}

/** Says before anyone signs that the BAA is not our template, and whose document it is. */
function OwnBaa({ view }: Pick<NextProps, 'view'>) {
  const { ownBaa } = view.documents
  if (!ownBaa) return null
  return (
    <span className="block breaks">
      {ownBaa.bySide === 'practice'
        ? `${practiceOf(view)} uses its own document`
        : 'You use your own document'}
      , {ownBaa.fileName}. Read it and compare it with our template before you sign.
    </span>
  )
}

function InReview({ view }: NextProps) {
  return (
    <Banner tone="wait" title="Nothing for you to do now. We are reviewing the request.">
      {view.clock && (
        <>
          Due <Moment at={view.clock.dueAt} as="deadline" />; {view.clock.usedDays} of{' '}
          {counted(view.clock.days, 'business day')} used.{' '}
        </>
      )}
      {view.level === 'full' && 'A full key needs two reviewers.'}
    </Banner>
  )
}

function NeedsInfo({ view }: NextProps) {
  return (
    <Banner tone="turn" who="Your turn." title="Answer the reviewer’s questions.">
      The review clock is paused until you answer.
      {view.lapsesAt && (
        <>
          {' '}
          Without an answer, the request is withdrawn on <Moment at={view.lapsesAt} />.
        </>
      )}
    </Banner>
  )
}

function Claim({ view }: NextProps) {
  return view.mine ? (
    <Banner
      tone="turn"
      who="Your turn."
      title="Claim your key."
      action={
        <LinkButton look="primary" to={`/developers/production-keys/claim?request=${view.id}`}>
          Claim key
        </LinkButton>
      }
    >
      The key is shown once, only to you.
      {view.claimExpiresAt && (
        <>
          {' '}
          Claim it by <Moment at={view.claimExpiresAt} />.
        </>
      )}
    </Banner>
  ) : (
    <Banner tone="wait" title={`${view.requestedBy} claims the key next.`}>
      Only the person who requested the key can see it.
    </Banner>
  )
}

function ClaimExpired({ view }: NextProps) {
  return (
    <Banner tone="turn" who="Your turn." title="The claim link expired before the key was claimed.">
      The person who requested the key can request a new link {counted(view.reissuesLeft, 'more time')}.
    </Banner>
  )
}

function Rejected({ view }: NextProps) {
  return (
    <Banner tone="bad" title="Two reviewers rejected the request.">
      Their reasons are below. You can appeal within 30 days.
    </Banner>
  )
}

function Working({ view }: NextProps) {
  return view.expiresAt ? (
    <Banner tone="ok" title="The key works.">
      It expires on <Moment at={view.expiresAt} />.{' '}
      {view.openRenewalId ? 'The practice has your renewal request.' : ''}
    </Banner>
  ) : null
}

const practiceOf = ({ practice }: ProductionKeyView) => practice?.name ?? 'The practice'

function link(slug: string, id: string | null, label: string) {
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
