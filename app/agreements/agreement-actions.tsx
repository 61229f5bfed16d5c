import { paths } from '../../server/contract/portal/paths.ts'
import type { AgreementEventName } from '../../server/contract/workflows/agreement-workflow.ts'
import { agreementTimes, returnOutcomes } from '../../server/contract/workflows/agreements.ts'
import { ActionForm, type Step, StepForms } from '../components/ui/action-form.tsx'
import { Choices } from '../components/ui/choice.tsx'
import { optionsOf, TextArea } from '../components/ui/form.tsx'
import { Banner, Card, LinkButton, Moment } from '../components/ui/page-parts.tsx'
import { LastDay, PartyFields, SignatureChecks } from '../shared/agreements/signature-fields.tsx'
import type { AgreementData } from './agreement-view.tsx'

export interface AgreementProps {
  view: AgreementData
}

/** What the reader can do now: sign, or open the form of another step. */
export function AgreementActions({ view }: AgreementProps) {
  const { side } = view.you
  const may = (event: AgreementEventName) => view.allowed.includes(event)
  const signer = view.signatories.find((each) => each.side === side)
  const waits = side !== null && view.waitsFor.includes(side) && !view.rejected && view.state !== 'stalled'
  return (
    <>
      {waits && signer?.isYou && <SignForm view={view} legalName={signer.legalName} title={signer.title} />}
      {waits && signer && !signer.isYou && (
        <Banner tone="wait" title={`Pending: ${signer.legalName} signs for your side.`}>
          The signature must come from {signer.maskedEmail}. Sign in with that account to sign.
        </Banner>
      )}
      {view.rejected && view.executedAt === null && view.endedAt === null && (
        <Banner tone="turn" title="This version was rejected. It can’t be signed.">
          Propose a change or withdraw it.
        </Banner>
      )}
      {view.kind === 'baa' && (may('edit') || may('amend')) && (
        <p>
          <LinkButton to={`${view.self}/change`}>
            {may('edit') ? 'Propose a change' : 'Propose an amendment'}
          </LinkButton>
        </p>
      )}
      <StepForms
        view={view}
        onceKey={view.idempotencyKey}
        steps={{
          resume: {
            button: 'Resume agreement',
            look: 'primary',
            text: 'There was no activity for 30 days. Existing signatures still count.',
          },
          reject: view.kind === 'baa' && stepWithReason('Reject this version', 'Reason for the other side'),
          withdraw: stepWithReason('Withdraw agreement', 'Reason'),
          renew: isNearEnd(view) && {
            button: 'Renew agreement',
            look: 'primary',
            text: 'The same agreement for a new term. Both sides sign again.',
          },
          terminate: endAgreement(view),
        }}
      />
      {may('attest_return') && view.task && view.task.attestedAt === null && <AttestForm view={view} />}
    </>
  )
}

function isNearEnd({ endsAt, now }: AgreementData): boolean {
  if (endsAt === null) return false
  const left = new Date(endsAt).getTime() - new Date(now).getTime()
  return left <= agreementTimes.renewalWindowDays * 86_400_000
}

/** Props of every form: a step applies to the version that the page shows, and only once. */
export const formProps = ({ version, idempotencyKey: onceKey }: AgreementData) => ({ version, onceKey })

function SignForm({ view, legalName, title }: AgreementProps & { legalName: string; title: string }) {
  return (
    <Card id="sign" title="Sign agreement">
      {view.stepUp ? (
        <div className="pad stack">
          <p>To sign, confirm your password first. It stays confirmed for ten minutes.</p>
          <LinkButton to={view.stepUp} look="primary">
            Confirm your password to sign
          </LinkButton>
        </div>
      ) : (
        <ActionForm
          {...formProps(view)}
          intent="sign"
          button="Sign agreement"
          busy="Signing"
          look="primary"
          className="pad stack gap-5"
        >
          <input type="hidden" name="number" value={view.offered.number} />
          <input type="hidden" name="sha256" value={view.offered.sha256} />
          <p>
            You sign exactly the document with the SHA-256{' '}
            <code className="breaks">{view.offered.sha256}</code>. We record your name, the time, your network
            address, your browser, and when you last entered your password.
          </p>
          <PartyFields label={`Your legal name, exactly as in the document: ${legalName}`} title={title} />
          <SignatureChecks />
          {view.policy && (
            <p>
              By signing, you accept the{' '}
              <a href={paths.legalTemplate('usage-policy')}>usage policy, version {view.policy.version}</a>,
              SHA-256 <code className="breaks">{view.policy.sha256}</code>.
            </p>
          )}
        </ActionForm>
      )}
    </Card>
  )
}

const reasonHint = 'Both sides see this. It stays in the history.'

const stepWithReason = (label: string, reason: string): Step => ({
  folded: label,
  button: label,
  look: 'danger',
  reason,
  reasonName: 'comment',
  reasonHint,
})

const endAgreement = (view: AgreementData): Step => ({
  folded: 'End agreement',
  button: 'End agreement',
  busy: 'Ending',
  look: 'danger',
  stepUp: { to: view.stepUp, label: 'Confirm your password first' },
  children: (
    <>
      <p>
        Production keys that depend on this agreement stop when it ends.
        {view.kind === 'baa' &&
          ` The developer then has ${agreementTimes.returnOrDestroyDays} days to return or destroy the data.`}
      </p>
      <TextArea name="comment" label="Reason for ending it" maxLength={2_000} hint={reasonHint} />
      <LastDay hint="With a later date, you give notice: everything continues until the end of that day." />
    </>
  ),
})

function AttestForm({ view }: AgreementProps) {
  return (
    <Card id="attest" title="Return or destroy the data">
      <ActionForm
        {...formProps(view)}
        intent="attest"
        button="Attest"
        look="primary"
        stepUp={{ to: view.stepUp, label: 'Confirm your password to attest' }}
        className="pad stack gap-5"
      >
        <p>
          Under the agreement, return or destroy the practice’s data by{' '}
          <Moment at={view.task?.dueAt ?? view.now} as="deadline" />, and attest here what you did.
        </p>
        <Choices name="outcome" legend="What happened to the data" options={optionsOf(returnOutcomes)} />
        <TextArea
          name="statement"
          label="How and when"
          maxLength={2_000}
          hint="Include copies, backups and subcontractors. Don’t enter patients’ names."
        />
        <PartyFields />
      </ActionForm>
    </Card>
  )
}
