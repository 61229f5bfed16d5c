import { paths } from '../../../server/contract/portal/paths.ts'
import { productionKeyTimes } from '../../../server/contract/workflows/production-key-workflow.ts'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { Banner, type BannerProps, LinkButton, Moment } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'

interface NextProps {
  view: ProductionKeyView
  slug: string
}

/** Shows the developer's next step, or who acts next. */
export function DeveloperNext({ view, slug }: NextProps) {
  const next = nextOf(view, slug)
  return next && <Banner {...next} />
}

function nextOf(view: ProductionKeyView, slug: string): BannerProps | null {
  const practice = view.practice?.name ?? 'The practice'
  switch (view.state) {
    case 'draft':
      return {
        tone: 'turn',
        title: 'Complete the request, check it, and send it to the practice.',
        children: 'Only your organization can see it so far. If you do nothing, it stays a draft.',
      }
    case 'sponsor_invited':
    case 'renewal_invited':
      return {
        tone: 'wait',
        title: `Nothing for you to do now. ${practice} answers next.`,
        children: (
          <>
            We asked its admins
            {view.lapsesAt && (
              <>
                . They can answer until <Moment at={view.lapsesAt} as="deadline" />
              </>
            )}
            . We send them reminders. If no one answers, you can send the invitation again.
          </>
        ),
      }
    case 'sponsor_expired':
      return {
        tone: 'turn',
        title: `${practice} didn’t answer within ${productionKeyTimes.sponsorDays} days.`,
        children:
          'Talk to the practice, then send the invitation again. If you do nothing, the request stays open.',
      }
    case 'security_hold':
      return {
        tone: 'wait',
        title: `${practice} doesn’t recognize this request.`,
        children: 'The request is on hold while we investigate. We email you the result.',
      }
    case 'sponsor_confirmed':
      return {
        tone: 'turn',
        title: `${view.signatory.name} signs the usage agreement.`,
        action: agreementLink(slug, view.documents.usageAgreementId, 'Read and sign'),
        children:
          'It includes the usage policy. Next comes the BAA. After 60 days without activity, the request is withdrawn.',
      }
    case 'agreement_signed':
      return {
        tone: 'wait',
        title: 'Nothing for you to do now. We countersign next.',
        children: 'Then both sides get the BAA to sign.',
      }
    case 'baa_pending':
    case 'baa_half':
    case 'baa_negotiation':
    case 'stalled':
    case 'agreement_executed':
      return baaNext(view, practice, slug)
    case 'baa_executed':
    case 'in_review':
    case 'approved':
      return {
        tone: 'wait',
        title: 'Nothing for you to do now. We are reviewing the request.',
        children: (
          <>
            {view.clock && (
              <>
                Due <Moment at={view.clock.dueAt} as="deadline" />; {view.clock.usedDays} of{' '}
                {counted(view.clock.days, 'business day')} used.{' '}
              </>
            )}
            {view.level === 'full' && 'A full key needs two reviewers.'}
          </>
        ),
      }
    case 'needs_info':
      return {
        tone: 'turn',
        title: 'Answer the reviewer’s questions.',
        children: (
          <>
            The review clock is paused until you answer.
            {view.lapsesAt && (
              <>
                {' '}
                Without an answer, the request is withdrawn on <Moment at={view.lapsesAt} as="deadline" />.
              </>
            )}
          </>
        ),
      }
    case 'ready_to_claim':
      return claimNext(view)
    case 'claim_expired':
      return {
        tone: 'turn',
        title: 'The claim link expired before the key was claimed.',
        children: `The person who requested the key can request a new link ${counted(view.reissuesLeft, 'more time')}.`,
      }
    case 'rejected':
      return {
        tone: 'bad',
        title: 'Two reviewers rejected the request.',
        children: 'Their reasons are below. You can appeal within 30 days.',
      }
    case 'active':
    case 'rotating':
      return (
        view.expiresAt && {
          tone: 'ok',
          title: 'The key works.',
          children: (
            <>
              It expires on <Moment at={view.expiresAt} />.{' '}
              {view.openRenewalId ? 'The practice has your renewal request.' : ''}
            </>
          ),
        }
      )
    default:
      return null
  }
}

function baaNext(view: ProductionKeyView, practice: string, slug: string): BannerProps {
  const { baaId, ownBaa } = view.documents
  const baa = view.agreements.find(({ id }) => id === baaId)
  const isSigned = baa?.signed.some(({ side }) => side === 'developer') ?? false
  const other = view.practiceSignatory?.name ?? practice
  return {
    tone: isSigned ? 'wait' : 'turn',
    title: isSigned
      ? `Nothing for you to do now. ${other} signs the BAA next.`
      : `${view.signatory.name} and ${other} sign the BAA, in any order.`,
    action: agreementLink(slug, baaId, isSigned ? 'Read the BAA' : 'Read and sign'),
    children: (
      <>
        {/* People must know before they sign that the BAA is not our template, and who uploaded it. */}
        {ownBaa && (
          <span className="block breaks">
            {ownBaa.bySide === 'practice' ? `${practice} uses its own document` : 'You use your own document'}
            , {ownBaa.fileName}. Read it and compare it with our template before you sign.
          </span>
        )}
        We send reminders after 7, 14 and 21 days. Without activity, the BAA stalls after 30 days and the
        request is withdrawn after 60.
      </>
    ),
  }
}

function claimNext({ id, mine, claimExpiresAt, requestedBy }: ProductionKeyView): BannerProps {
  if (!mine)
    return {
      tone: 'wait',
      title: `${requestedBy} claims the key next.`,
      children: 'Only the person who requested the key can see it.',
    }
  return {
    tone: 'turn',
    title: 'Claim your key.',
    action: (
      <LinkButton look="primary" to={`/developers/production-keys/claim?request=${id}`}>
        Claim key
      </LinkButton>
    ),
    children: (
      <>
        The key is shown once, only to you.
        {claimExpiresAt && (
          <>
            {' '}
            Claim it by <Moment at={claimExpiresAt} as="deadline" />.
          </>
        )}
      </>
    ),
  }
}

function agreementLink(slug: string, id: string | null, label: string) {
  return (
    id && (
      <LinkButton look="primary" to={paths.agreement(slug, id)}>
        {label}
      </LinkButton>
    )
  )
}
