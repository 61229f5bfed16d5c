import { Link } from '@remix-run/react'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
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
  const once = { version: view.version, onceKey }
  const binds = [
    'confirm',
    'reconfirm',
    're_sponsor',
    'suspend',
    'reinstate',
    'revoke',
    'end_sponsorship',
  ].some(may)
  const ours = view.suspensions.some(({ cause, endedAt }) => cause === 'practice' && endedAt === null)
  const vouches = view.sponsor?.me === true && view.sponsor.endedAt === null
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
      {may('confirm') && !stepUp && <ConfirmSponsorship view={view} onceKey={onceKey} />}
      {may('reconfirm') && !stepUp && (
        <ActionForm {...once} intent="reconfirm" title="Let it go on" button="It may go on" look="primary">
          <p>The level and the agreed data and purposes stay as they are. The documents are checked again.</p>
        </ActionForm>
      )}
      {may('suspend') && !stepUp && !ours && (
        <ActionForm
          {...once}
          intent="suspend"
          title="Suspend it"
          button="Suspend now"
          look="danger"
          reason="Reason, for the developers"
        >
          <p>Its next request is refused. You can undo it.</p>
        </ActionForm>
      )}
      {may('reinstate') && !stepUp && ours && (
        <ActionForm
          {...once}
          intent="reinstate"
          title="Let it work again"
          button="Let it work"
          look="primary"
          reason="What has changed"
        >
          <p>It works again when nothing else is in the way and every document is in force.</p>
        </ActionForm>
      )}
      {may('re_sponsor') && !stepUp && !vouches && (
        <ActionForm {...once} intent="takeOver" title="Vouch for it yourself" button="I vouch for it">
          <p>You take the place of whoever vouched before.</p>
        </ActionForm>
      )}
      {may('end_sponsorship') && !(binds && stepUp) && view.sponsor?.endedAt === null && (
        <ActionForm
          {...once}
          intent="endSponsorship"
          title="End the sponsorship"
          button="End it"
          look="danger"
          reason="Reason, for the developers"
        >
          <p>
            {view.keys.length > 0
              ? 'The key stops at once and is revoked in seven days unless somebody vouches again. The developers return or destroy what they have.'
              : 'The request ends, and no key is made.'}
          </p>
        </ActionForm>
      )}
      {may('revoke') && !stepUp && (
        <ActionForm
          {...once}
          intent="revoke"
          title="Revoke it"
          button="Revoke for good"
          look="danger"
          reason="Reason, for the developers"
        >
          <p>Its next request is refused, and it cannot be brought back.</p>
        </ActionForm>
      )}
      {may('decline') && (
        <ActionForm
          {...once}
          intent="decline"
          title="Decline"
          button="Decline"
          reason="Reason, for the developers"
        />
      )}
      {may('not_us') && (
        <ActionForm
          {...once}
          intent="notUs"
          title="This is not us"
          button="We do not know of it"
          look="danger"
          reason="What you know"
        >
          <p>The request is held at once, and our security people look into it.</p>
        </ActionForm>
      )}
    </div>
  )
}

function ConfirmSponsorship({ view, onceKey }: Omit<SponsorActsProps, 'stepUp'>) {
  return (
    <ActionForm
      version={view.version}
      onceKey={onceKey}
      intent="confirm"
      title="Confirm, and name who signs the BAA"
      button="We vouch for it"
      look="primary"
    >
      <p>Nothing can be reached yet: both sides sign, and we review it.</p>
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
    </ActionForm>
  )
}
