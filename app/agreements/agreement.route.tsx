import { useLoaderData } from '@remix-run/react'
import {
  agreementKinds,
  type ReturnOutcome,
  returnOutcomes,
  type SigningSide,
  sidesOf,
  signingSides,
} from '../../server/contract/workflows/agreements.ts'
import { ActionForm, Refusal } from '../components/ui/action-form.tsx'
import { Select } from '../components/ui/form.tsx'
import { PenLine } from '../components/ui/icons.ts'
import { Banner, Card, LinkButton, Moment, PageHeader, Tag } from '../components/ui/page-parts.tsx'
import { PartyFields } from '../shared/agreements/signature-fields.tsx'
import { RealmPage } from '../shared/frames/realm-page.tsx'
import { agreementAction, agreementLoader } from './agreement.server.ts'
import { AgreementActs, type AgreementProps, once } from './agreement-acts.tsx'
import { type AgreementData, AgreementDocument, AgreementFacts, AgreementHistory } from './agreement-view.tsx'

export const meta = () => [{ title: 'Agreement · Sandpiper' }]
export const handle = { here: 'Agreements' }

export const loader = agreementLoader
export const action = agreementAction

/** One agreement, for either side: who signed, the text with the signature below it, and everything else folded. */
export default function Agreement() {
  const of = useLoaderData<typeof loader>()
  return (
    <RealmPage>
      <PageHeader title={agreementKinds[of.kind]}>
        {of.practiceName === null
          ? `Between ${of.organizationName} and Sandpiper.`
          : `Between ${of.organizationName} and ${of.practiceName}.`}
      </PageHeader>
      <Refusal />
      <AgreementFacts of={of} />
      {of.offered.comment && of.executedAt === null && (
        <Banner tone="wait" title="Reason for the new version">
          <span className="breaks">{of.offered.comment}</span>
        </Banner>
      )}
      <SignaturePlaces of={of} />
      <AgreementDocument of={of} />
      <AgreementActs key={of.version} of={of} />
      {of.candidates.length > 0 && <NameSignatoryForm key={`name-${of.version}`} of={of} />}
      {of.task?.attestedAt && (
        <Card padded="tight" label="Attestation">
          <p>
            <strong>{returnOutcomes[of.task.outcome as ReturnOutcome]}</strong> Attested by{' '}
            {of.task.legalName}, {of.task.title}, <Moment at={of.task.attestedAt} />.
          </p>
          <p className="breaks">{of.task.statement}</p>
        </Card>
      )}
      <AgreementHistory of={of} />
    </RealmPage>
  )
}

/** For the reader's side, whose signatory may not sign any more. */
function NameSignatoryForm({ of }: AgreementProps) {
  return (
    <Card id="name-signatory" title="Name a new signatory">
      <ActionForm
        {...once(of)}
        intent="nameSignatory"
        button="Send new version"
        look="primary"
        className="pad stack"
      >
        <p>
          Your side’s signatory is no longer authorized to sign. Naming someone else creates a new version.
          Signatures on the current one no longer count.
        </p>
        <Select
          name="accountId"
          label="Signatory"
          options={of.candidates.map(({ accountId, name }) => ({ value: accountId, label: name }))}
        />
        <PartyFields whose="Their" />
      </ActionForm>
    </Card>
  )
}

/** As at the foot of a document: a place for each side, signed or still empty. */
function SignaturePlaces({ of }: { of: AgreementData }) {
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
