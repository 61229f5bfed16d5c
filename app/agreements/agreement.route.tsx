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
import { AgreementActions, type AgreementProps, formProps } from './agreement-actions.tsx'
import { type AgreementData, AgreementDocument, AgreementFacts, AgreementHistory } from './agreement-view.tsx'

export const meta = () => [{ title: 'Agreement · Sandpiper' }]
export const handle = { here: 'Agreements' }

export const loader = agreementLoader
export const action = agreementAction

/** One agreement, for either side: who signed, the text with the signature below it, and everything else folded. */
export default function Agreement() {
  const view = useLoaderData<typeof loader>()
  return (
    <RealmPage>
      <PageHeader title={agreementKinds[view.kind]}>
        {view.practiceName === null
          ? `Between ${view.organizationName} and Sandpiper.`
          : `Between ${view.organizationName} and ${view.practiceName}.`}
      </PageHeader>
      <Refusal />
      <AgreementFacts view={view} />
      {view.offered.comment && view.executedAt === null && (
        <Banner tone="wait" title="Reason for the new version">
          <span className="breaks">{view.offered.comment}</span>
        </Banner>
      )}
      <SignaturePlaces view={view} />
      <AgreementDocument view={view} />
      <AgreementActions key={view.version} view={view} />
      {view.candidates.length > 0 && <NameSignatoryForm key={`name-${view.version}`} view={view} />}
      {view.task?.attestedAt && (
        <Card padded="tight" label="Attestation">
          <p>
            <strong>{returnOutcomes[view.task.outcome as ReturnOutcome]}</strong> Attested by{' '}
            {view.task.legalName}, {view.task.title}, <Moment at={view.task.attestedAt} />.
          </p>
          <p className="breaks">{view.task.statement}</p>
        </Card>
      )}
      <AgreementHistory view={view} />
    </RealmPage>
  )
}

/** Shown to the side whose signatory is no longer authorized to sign. */
function NameSignatoryForm({ view }: AgreementProps) {
  return (
    <Card id="name-signatory" title="Name a new signatory">
      <ActionForm
        {...formProps(view)}
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
          options={view.candidates.map(({ accountId, name }) => ({ value: accountId, label: name }))}
        />
        <PartyFields whose="Their" />
      </ActionForm>
    </Card>
  )
}

/** The signature of each side, or an empty place for it. */
function SignaturePlaces({ view }: { view: AgreementData }) {
  const isOpen = view.executedAt === null && view.endedAt === null && !view.rejected
  return (
    <Card id="signatures" title="Signatures">
      <ul className="places" aria-label={`Signatures of the ${agreementKinds[view.kind].toLowerCase()}`}>
        {sidesOf[view.kind].map((side) => (
          <Place key={side} view={view} side={side} isOpen={isOpen} />
        ))}
      </ul>
    </Card>
  )
}

function Place({ view, side, isOpen }: { view: AgreementData; side: SigningSide; isOpen: boolean }) {
  const signature = view.signatures.find((each) => each.side === side)
  const named = view.signatories.find((each) => each.side === side)
  const isYours = isOpen && named?.isYou === true && view.waitsFor.includes(side) && view.state !== 'stalled'
  const party = { developer: view.organizationName, practice: view.practiceName, service: 'Sandpiper' }[side]
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
