import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { type Step, StepForms } from '../../components/ui/action-form.tsx'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { PartiesOfBaa } from './parties-of-baa.tsx'

interface SponsorActsProps {
  view: ProductionKeyView
  onceKey: string
  /** Where the proof of presence is given, when it is missing. */
  stepUp: string | null
  /** The signed-in person. */
  you: { name: string; email: string }
}

const binding = ['confirm', 'reconfirm', 're_sponsor', 'suspend', 'reinstate', 'revoke', 'end_sponsorship']

/** What the practice may do now, by the table: the likely step first, what ends the key folded away. */
export function SponsorActs({ view, onceKey, stepUp, you }: SponsorActsProps) {
  const binds = view.allowed.some((event) => binding.includes(event))
  return (
    <div id="stop" className="stack">
      {binds && stepUp && (
        <Card padded title="Confirm first that it is you">
          <p>Decisions that bind the practice need your password and code, given in the last ten minutes.</p>
          <div>
            <LinkButton look="primary" to={stepUp}>
              Confirm that it is you
            </LinkButton>
          </div>
        </Card>
      )}
      <StepForms
        of={view}
        onceKey={onceKey}
        steps={stepsOf(view, { unproven: stepUp !== null, binds, you })}
      />
    </div>
  )
}

/** What binds the practice waits for the proof; the rest never does. */
function stepsOf(
  view: ProductionKeyView,
  { unproven, binds, you }: { unproven: boolean; binds: boolean; you: SponsorActsProps['you'] },
): Record<string, Step | false> {
  const ours = view.suspensions.some(({ cause, endedAt }) => cause === 'practice' && endedAt === null)
  const vouches = view.sponsor?.me === true && view.sponsor.endedAt === null
  return {
    confirm: !unproven && {
      title: 'Confirm, and name who signs the BAA',
      button: 'Confirm the request',
      look: 'primary',
      text: 'No records are opened yet. Next, both sides sign the business associate agreement (BAA), and Sandpiper reviews the request.',
      children: <PartiesOfBaa view={view} you={you} />,
    },
    reconfirm: !unproven && {
      title: 'Confirm the renewal',
      button: 'Renew the key',
      look: 'primary',
      text: 'The access and the agreed data and purposes stay as they are. The agreements are checked again.',
    },
    suspend: !unproven &&
      !ours && {
        title: 'Suspend the key',
        button: 'Suspend now',
        look: 'danger',
        text: 'Its next request is refused. You can undo it.',
        reason: 'Reason, for the developers',
      },
    reinstate: !unproven &&
      ours && {
        title: 'Let it work again',
        button: 'Let it work',
        look: 'primary',
        text: 'It works again when nothing else is in the way and every agreement is in force.',
        reason: 'What has changed',
      },
    takeOver: !unproven &&
      !vouches && {
        event: 're_sponsor',
        title: 'Become the sponsor',
        button: 'Become the sponsor',
        text: 'You answer for the key in place of the admin who confirmed it before.',
      },
    decline: {
      folded: 'Decline the request',
      button: 'Decline',
      look: 'danger',
      reason: 'Reason, for the developers',
    },
    notUs: {
      event: 'not_us',
      folded: 'We don’t recognize this request',
      button: 'Report the request',
      look: 'danger',
      text: 'The request is held at once, and our security team looks into it.',
      reason: 'What you know',
    },
    endSponsorship: !(binds && unproven) &&
      view.sponsor?.endedAt === null && {
        event: 'end_sponsorship',
        folded: 'End the sponsorship',
        button: 'End the sponsorship',
        look: 'danger',
        text:
          view.keys.length > 0
            ? 'The key stops at once. It is revoked in seven days unless another admin becomes the sponsor. The developers return or destroy the data they have.'
            : 'The request ends, and no key is made.',
        reason: 'Reason, for the developers',
      },
    revoke: !unproven && {
      folded: 'Revoke for good',
      button: 'Revoke for good',
      look: 'danger',
      text: 'Its next request is refused, and it cannot be brought back.',
      reason: 'Reason, for the developers',
    },
  }
}
