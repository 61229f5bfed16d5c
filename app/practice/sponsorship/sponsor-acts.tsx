import { Link } from '@remix-run/react'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { type Step, StepForms } from '../../components/ui/action-form.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Field, Select } from '../../components/ui/field.tsx'

interface SponsorActsProps {
  view: ProductionKeyView
  onceKey: string
  /** Where the proof of presence is given, when it is missing. */
  stepUp: string | null
}

/** What the practice may do now, by the table. */
export function SponsorActs({ view, onceKey, stepUp }: SponsorActsProps) {
  const may = (event: string) => view.allowed.some((each) => each === event)
  const binds = [
    'confirm',
    'reconfirm',
    're_sponsor',
    'suspend',
    'reinstate',
    'revoke',
    'end_sponsorship',
  ].some(may)
  return (
    <div id="stop" className="stack">
      {binds && stepUp && (
        <Card padded title="To confirm, suspend or revoke">
          <p>
            What binds the practice needs a fresh proof that it is you.{' '}
            <Link to={stepUp}>Confirm that it is you</Link>
          </p>
        </Card>
      )}
      <StepForms of={view} onceKey={onceKey} steps={stepsOf(view, stepUp !== null, binds)} />
    </div>
  )
}

/** What binds the practice waits for the proof; the rest never does. */
function stepsOf(view: ProductionKeyView, unproven: boolean, binds: boolean): Record<string, Step | false> {
  const ours = view.suspensions.some(({ cause, endedAt }) => cause === 'practice' && endedAt === null)
  const vouches = view.sponsor?.me === true && view.sponsor.endedAt === null
  return {
    confirm: !unproven && {
      title: 'Confirm, and name who signs the BAA',
      button: 'We vouch for it',
      look: 'primary',
      text: 'Nothing can be reached yet: both sides sign, and we review it.',
      children: <PartiesOfBaa view={view} />,
    },
    reconfirm: !unproven && {
      title: 'Let it go on',
      button: 'It may go on',
      look: 'primary',
      text: 'The level and the agreed data and purposes stay as they are. The documents are checked again.',
    },
    suspend: !unproven &&
      !ours && {
        title: 'Suspend it',
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
        text: 'It works again when nothing else is in the way and every document is in force.',
        reason: 'What has changed',
      },
    takeOver: !unproven &&
      !vouches && {
        event: 're_sponsor',
        title: 'Vouch for it yourself',
        button: 'I vouch for it',
        text: 'You take the place of whoever vouched before.',
      },
    endSponsorship: !(binds && unproven) &&
      view.sponsor?.endedAt === null && {
        event: 'end_sponsorship',
        title: 'End the sponsorship',
        button: 'End it',
        look: 'danger',
        text:
          view.keys.length > 0
            ? 'The key stops at once and is revoked in seven days unless somebody vouches again. The developers return or destroy what they have.'
            : 'The request ends, and no key is made.',
        reason: 'Reason, for the developers',
      },
    revoke: !unproven && {
      title: 'Revoke it',
      button: 'Revoke for good',
      look: 'danger',
      text: 'Its next request is refused, and it cannot be brought back.',
      reason: 'Reason, for the developers',
    },
    decline: { title: 'Decline', button: 'Decline', reason: 'Reason, for the developers' },
    notUs: {
      event: 'not_us',
      title: 'This is not us',
      button: 'We do not know of it',
      look: 'danger',
      text: 'The request is held at once, and our security people look into it.',
      reason: 'What you know',
    },
  }
}

function PartiesOfBaa({ view }: Pick<SponsorActsProps, 'view'>) {
  return (
    <>
      <Select
        name="signatoryId"
        label="Who signs the BAA for the practice"
        options={view.signers.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Field name="signatoryName" label="Their legal name" />
      <Field name="signatoryTitle" label="Their title" />
      <Field name="legalName" value={view.practice?.name} label="Legal name of the practice" />
      <Field name="address" label="Address of the practice" />
      <Field name="contactName" label="Contact for the agreement" />
      <Field name="contactEmail" label="Their mail address" type="email" />
    </>
  )
}
