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
  of: AgreementData
}

/** What the reader can do now: sign first, everything else folded away. */
export function AgreementActs({ of }: AgreementProps) {
  const { side } = of.you
  const may = (event: AgreementEventName) => of.allowed.includes(event)
  const signer = of.signatories.find((each) => each.side === side)
  const waits = side !== null && of.waitsFor.includes(side) && !of.rejected && of.state !== 'stalled'
  const forms = { of, onceKey: of.idempotencyKey }
  return (
    <>
      {waits && signer?.isYou && <SignForm of={of} legalName={signer.legalName} title={signer.title} />}
      {waits && signer && !signer.isYou && (
        <Banner tone="wait" title={`Pending: ${signer.legalName} signs for your side.`}>
          The signature must come from {signer.maskedEmail}. Sign in with that account to sign.
        </Banner>
      )}
      {of.rejected && of.executedAt === null && of.endedAt === null && (
        <Banner tone="turn" title="This version was rejected. It can’t be signed.">
          Propose a change or withdraw it.
        </Banner>
      )}
      {of.kind === 'baa' && (may('edit') || may('amend')) && (
        <p>
          <LinkButton to={`${of.self}/change`}>
            {may('edit') ? 'Propose a change' : 'Propose an amendment'}
          </LinkButton>
        </p>
      )}
      <StepForms
        {...forms}
        steps={{
          resume: {
            button: 'Resume agreement',
            look: 'primary',
            text: 'There was no activity for 30 days. Existing signatures still count.',
          },
          reject: of.kind === 'baa' && reasoned('Reject this version', 'Reason for the other side'),
          withdraw: reasoned('Withdraw agreement', 'Reason'),
          renew: isNearEnd(of) && {
            button: 'Renew agreement',
            look: 'primary',
            text: 'The same agreement for a new term. Both sides sign again.',
          },
          terminate: endStep(of),
        }}
      />
      {may('attest_return') && of.task && of.task.attestedAt === null && <AttestForm of={of} />}
    </>
  )
}

function isNearEnd({ endsAt, now }: AgreementData): boolean {
  if (endsAt === null) return false
  const left = new Date(endsAt).getTime() - new Date(now).getTime()
  return left <= agreementTimes.renewalWindowDays * 86_400_000
}

/** Every form of the page names the version it was made for. */
export const once = ({ version, idempotencyKey }: AgreementData) => ({ version, onceKey: idempotencyKey })

function SignForm({ of, legalName, title }: AgreementProps & { legalName: string; title: string }) {
  return (
    <Card id="sign" title="Sign agreement">
      {of.stepUp ? (
        <div className="pad stack">
          <p>To sign, confirm your password first. It stays confirmed for ten minutes.</p>
          <LinkButton to={of.stepUp} look="primary">
            Confirm your password to sign
          </LinkButton>
        </div>
      ) : (
        <ActionForm
          {...once(of)}
          intent="sign"
          button="Sign agreement"
          busy="Signing"
          look="primary"
          className="pad stack gap-5"
        >
          <input type="hidden" name="number" value={of.offered.number} />
          <input type="hidden" name="sha256" value={of.offered.sha256} />
          <p>
            You sign exactly the document with the SHA-256 <code className="breaks">{of.offered.sha256}</code>
            . We record your name, the time, your network address, your browser, and when you last entered
            your password.
          </p>
          <PartyFields label={`Your legal name, exactly as in the document: ${legalName}`} title={title} />
          <SignatureChecks />
          {of.policy && (
            <p>
              By signing, you accept the{' '}
              <a href={paths.legalTemplate('usage-policy')}>usage policy, version {of.policy.version}</a>,
              SHA-256 <code className="breaks">{of.policy.sha256}</code>.
            </p>
          )}
        </ActionForm>
      )}
    </Card>
  )
}

const hint = 'Both sides see this. It stays in the history.'

const reasoned = (words: string, reason: string): Step => ({
  folded: words,
  button: words,
  look: 'danger',
  reason,
  reasonName: 'comment',
  reasonHint: hint,
})

const endStep = (of: AgreementData): Step => ({
  folded: 'End agreement',
  button: 'End agreement',
  busy: 'Ending',
  look: 'danger',
  stepUp: { to: of.stepUp, label: 'Confirm your password first' },
  children: (
    <>
      <p>
        Production keys that depend on this agreement stop when it ends.
        {of.kind === 'baa' &&
          ` The developer then has ${agreementTimes.returnOrDestroyDays} days to return or destroy the data.`}
      </p>
      <TextArea name="comment" label="Reason for ending it" maxLength={2_000} hint={hint} />
      <LastDay hint="With a later date, you give notice: everything continues until the end of that day." />
    </>
  ),
})

function AttestForm({ of }: AgreementProps) {
  return (
    <Card id="attest" title="Return or destroy the data">
      <ActionForm
        {...once(of)}
        intent="attest"
        button="Attest"
        look="primary"
        stepUp={{ to: of.stepUp, label: 'Confirm your password to attest' }}
        className="pad stack gap-5"
      >
        <p>
          Under the agreement, return or destroy the practice’s data by{' '}
          <Moment at={of.task?.dueAt ?? of.now} as="deadline" />, and attest here what you did.
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
