import { textFieldOf } from '../../../server/contract/forms/step-forms.ts'
import {
  productionFacts,
  productionInfoReasons,
  productionRejectionReasons,
} from '../../../server/contract/workflows/production-key-review.ts'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { type Step, StepForms } from '../../components/ui/action-form.tsx'
import { TextArea } from '../../components/ui/form.tsx'
import { Banner } from '../../components/ui/page-parts.tsx'
import { ConfirmBanner } from '../../shared/sign-in/confirm-first.tsx'
import { DecisionPanel, type PanelStep } from '../queue/decision.tsx'

interface ReviewActsProps {
  view: ProductionKeyView
  onceKey: string
  stepUp: string | null
}

/** The steps that the workflow allows a reviewer or operator now. */
export function ProductionReviewActs({ view, onceKey, stepUp }: ReviewActsProps) {
  const may = (event: string) => view.allowed.some((allowed) => allowed === event)
  if (stepUp) return <ConfirmBanner to={stepUp} title="To decide, confirm your password first." />
  const shared = { view, onceKey }
  return (
    <>
      {view.firstApproval && may('approve') && (
        <Banner tone="wait" title={`${view.firstApproval.byName} gave the first approval.`}>
          Full access needs two approvals. A second reviewer decides.
        </Banner>
      )}
      {view.party === 'reviewer' && <DecisionPanel {...shared} steps={reviewSteps(view)} />}
      {view.proposal && may('reject') && (
        <Banner tone="wait" title={`${view.proposal.byName} proposes a rejection.`}>
          {view.proposal.text}
        </Banner>
      )}
      <StepForms {...shared} steps={decisionSteps(view)} />
      {view.party === 'ops' && <StepForms {...shared} steps={opsSteps} />}
    </>
  )
}

function Code({ code, children }: { code: string; children: string }) {
  return (
    <label className="check">
      <input type="checkbox" name="codes" value={code} />
      <span>{children}</span>
    </label>
  )
}

function reviewSteps(view: ProductionKeyView): Record<string, PanelStep | false> {
  const claimedByMe = view.claimedByMe
  const colleague = view.assignedToMe ? null : view.claimedBy
  const holder = colleague ? `${colleague} has claimed it.` : 'It is unassigned.'
  const missing = view.facts?.missing ?? []
  const isSecondApproval = view.level === 'full' && view.firstApproval !== null
  return {
    claim: !claimedByMe && {
      title: colleague ? 'Take over the request' : 'Claim the request',
      button: colleague ? 'Take over request' : 'Claim request',
      look: 'primary',
      text: `${view.assignedToMe ? 'It is assigned to you.' : holder} Claim it to decide.`,
      next: !isSecondApproval,
    },
    approve: !view.proposal &&
      (isSecondApproval ? !view.firstApproval?.mine : claimedByMe) && {
        title: 'Approve',
        button: view.level === 'full' && !isSecondApproval ? 'Give the first approval' : 'Approve key',
        look: 'primary',
        text:
          missing.length === 0
            ? 'All four are in force now. We check them again when you decide.'
            : `Not currently in force: ${missing.map((fact) => productionFacts[fact]).join(', ')}.`,
        next: true,
      },
    ask: claimedByMe && {
      event: 'request_info',
      title: 'Ask a question',
      button: 'Send questions',
      text: 'The clock is paused until they answer.',
      children: <Questions />,
    },
    propose: claimedByMe &&
      !view.proposal && {
        event: 'propose_rejection',
        title: 'Propose a rejection',
        button: 'Propose rejection',
        look: 'danger',
        text: 'A second reviewer confirms it.',
        children: <Reasons />,
      },
  }
}

function Questions() {
  return (
    <>
      {Object.entries(productionInfoReasons).map(([code, { sentence, template }]) => (
        <div className="asked-item" key={code}>
          <Code code={code}>{sentence}</Code>
          <TextArea name={textFieldOf(code)} label="Comment" value={template} rows={2} />
        </div>
      ))}
    </>
  )
}

function Reasons() {
  return (
    <>
      {Object.entries(productionRejectionReasons).map(([code, { sentence }]) => (
        <Code key={code} code={code}>
          {sentence}
        </Code>
      ))}
      <TextArea name="text" label="Explanation for the developer" />
    </>
  )
}

function decisionSteps(view: ProductionKeyView): Record<string, Step | false> {
  return {
    reject: view.proposal?.mine === false && {
      title: 'Confirm the rejection',
      button: 'Reject request',
      look: 'danger',
    },
    dismiss: view.proposal !== null && {
      event: 'reject',
      title: 'Dismiss the proposed rejection',
      button: 'Dismiss proposal',
      reason: 'Reason, for colleagues',
      reasonName: 'text',
    },
    release: {
      title: 'The practice recognizes the request',
      button: 'Release request',
      reason: 'Your findings, for both sides',
    },
    close: {
      title: 'The practice doesn’t recognize the request',
      button: 'Close request',
      look: 'danger',
      reason: 'Your findings, for both sides',
    },
  }
}

const opsSteps: Record<string, Step> = {
  suspend: {
    title: 'Stop the key',
    button: 'Stop key',
    look: 'danger',
    reason: 'Reason, for both sides',
  },
  reinstate: { title: 'Resume the key', button: 'Resume key', reason: 'Reason' },
  revoke: {
    title: 'Revoke the key',
    button: 'Revoke key permanently',
    look: 'danger',
    reason: 'Reason, for both sides',
  },
}
