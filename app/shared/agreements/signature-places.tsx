import {
  agreementKinds,
  type SigningSide,
  sidesOf,
  signingSides,
} from '../../../server/contract/workflows/agreements.ts'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { PenLine } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import type { AgreementData } from './agreement-view.tsx'

/** As at the foot of a document: a place for each side, signed or still empty. */
export function SignaturePlaces({ of }: { of: AgreementData }) {
  const isOpen = of.executedAt === null && of.endedAt === null && !of.rejected
  return (
    <Card id="signatures" title="Signatures">
      <ul className="places" aria-label={`Signatures of the ${agreementKinds[of.kind].toLowerCase()}`}>
        {sidesOf[of.kind].map((side) => (
          <Place key={side} of={of} side={side} isOpen={isOpen} />
        ))}
      </ul>
    </Card>
  )
}

function Place({ of, side, isOpen }: { of: AgreementData; side: SigningSide; isOpen: boolean }) {
  const signature = of.signatures.find((each) => each.side === side)
  const named = of.signatories.find((each) => each.side === side)
  const isYours = isOpen && named?.isYou === true && of.waitsFor.includes(side) && of.state !== 'stalled'
  const party = { developer: of.organizationName, practice: of.practiceName, service: 'Sandpiper' }[side]
  return (
    <li>
      <p className="small muted">
        {signingSides[side]}: {party}
      </p>
      <p className={signature ? 'signed' : 'signed empty'}>
        {signature?.legalName ?? (isYours ? <SignHere /> : 'Not signed')}
      </p>
      <p className="small">
        {signature ? (
          <>
            <Tag bare tone="ok">
              Signed
            </Tag>{' '}
            <Moment at={signature.at} />
            {signature.title && <span className="sub">{signature.title}</span>}
          </>
        ) : named ? (
          <>
            {named.legalName}, {named.title}
            {named.isYou ? ' (you)' : ` (${named.maskedEmail})`}
          </>
        ) : (
          'We sign after the developer.'
        )}
      </p>
    </li>
  )
}

function SignHere() {
  return (
    <LinkButton to="#sign" look="primary" size="sm">
      <PenLine className="i" />
      Sign here
    </LinkButton>
  )
}
