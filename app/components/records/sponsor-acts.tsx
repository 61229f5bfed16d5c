import { Link } from '@remix-run/react'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { Act, Line, Pick } from './production-acts.tsx'

interface SponsorActsProps {
  view: ProductionKeyView
  onceKey: string
  /** Where the proof of presence is given, when it is missing. */
  stepUp: string | null
  wrong: { fields: Record<string, string>; typed: Record<string, string | string[]> } | undefined
}

/** What the practice may do now, by the table. */
export function SponsorActs({ view, onceKey, stepUp, wrong }: SponsorActsProps) {
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
        <section className="card pad stack">
          <h2>To confirm, suspend or revoke</h2>
          <p>
            What binds the practice needs a fresh proof that it is you.{' '}
            <Link to={stepUp}>Confirm that it is you</Link>
          </p>
        </section>
      )}
      {may('confirm') && !stepUp && <ConfirmSponsorship view={view} onceKey={onceKey} wrong={wrong} />}
      {may('reconfirm') && !stepUp && (
        <Act {...once} intent="reconfirm" title="Let it go on" button="It may go on" look="primary">
          <p>The level and the agreed data and purposes stay as they are. The documents are checked again.</p>
        </Act>
      )}
      {may('suspend') && !stepUp && !ours && (
        <Act
          {...once}
          intent="suspend"
          title="Suspend it"
          button="Suspend now"
          look="danger"
          reason="Reason, for the developers"
        >
          <p>Its next request is refused. You can undo it.</p>
        </Act>
      )}
      {may('reinstate') && !stepUp && ours && (
        <Act
          {...once}
          intent="reinstate"
          title="Let it work again"
          button="Let it work"
          look="primary"
          reason="What has changed"
        >
          <p>It works again when nothing else is in the way and every document is in force.</p>
        </Act>
      )}
      {may('re_sponsor') && !stepUp && !vouches && (
        <Act {...once} intent="takeOver" title="Vouch for it yourself" button="I vouch for it">
          <p>You take the place of whoever vouched before.</p>
        </Act>
      )}
      {may('end_sponsorship') && !(binds && stepUp) && view.sponsor?.endedAt === null && (
        <Act
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
        </Act>
      )}
      {may('revoke') && !stepUp && (
        <Act
          {...once}
          intent="revoke"
          title="Revoke it"
          button="Revoke for good"
          look="danger"
          reason="Reason, for the developers"
        >
          <p>Its next request is refused, and it cannot be brought back.</p>
        </Act>
      )}
      {may('decline') && (
        <Act
          {...once}
          intent="decline"
          title="Decline"
          button="Decline"
          reason="Reason, for the developers"
        />
      )}
      {may('not_us') && (
        <Act
          {...once}
          intent="notUs"
          title="This is not us"
          button="We do not know of it"
          look="danger"
          reason="What you know"
        >
          <p>The request is held at once, and our security people look into it.</p>
        </Act>
      )}
    </div>
  )
}

function ConfirmSponsorship({ view, onceKey, wrong }: Omit<SponsorActsProps, 'stepUp'>) {
  const field = (name: string, first = '') => {
    const typed = wrong?.typed[name]
    return { id: name, name, value: typeof typed === 'string' ? typed : first, fault: wrong?.fields[name] }
  }
  return (
    <Act
      version={view.version}
      onceKey={onceKey}
      intent="confirm"
      title="Confirm, and name who signs the BAA"
      button="We vouch for it"
      look="primary"
    >
      <p>Nothing can be reached yet: both sides sign, and we review it.</p>
      <Pick
        {...field('signatoryId')}
        label="Who signs the BAA for the practice"
        options={view.signers.map(({ id, name }) => [id, name] as const)}
      />
      <Line {...field('signatoryName')} label="Their legal name" />
      <Line {...field('signatoryTitle')} label="Their title" />
      <Line {...field('legalName', view.practice?.name)} label="Legal name of the practice" />
      <Line {...field('address')} label="Address of the practice" />
      <Line {...field('contactName')} label="Contact for the agreement" />
      <Line {...field('contactEmail')} label="Their mail address" type="email" />
    </Act>
  )
}
