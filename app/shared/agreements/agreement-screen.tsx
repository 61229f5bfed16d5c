import {
  agreementKinds,
  type ReturnOutcome,
  returnOutcomes,
} from '../../../server/contract/workflows/agreements.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { AgreementActs } from './agreement-acts.tsx'
import { type AgreementData, AgreementDocument, AgreementFacts, AgreementHistory } from './agreement-view.tsx'
import { NameSignatoryForm } from './name-signatory.tsx'
import { SignaturePlaces } from './signature-places.tsx'

/** One agreement, for either side. */
export function AgreementScreen({ of }: { of: AgreementData }) {
  return (
    <>
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
      {of.candidates.length > 0 && <NameSignatoryForm key={`name-${of.version}`} of={of} />}
      <AgreementActs key={of.version} of={of} />
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
    </>
  )
}
