import { Link } from '@remix-run/react'
import { textFieldOf } from '../../../server/contract/forms/step-forms.ts'
import {
  productionFacts,
  productionInfoReasons,
  productionRejectionReasons,
} from '../../../server/contract/workflows/production-key-review.ts'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { type Step, StepForms } from '../../components/ui/action-form.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { TextArea } from '../../components/ui/field.tsx'
import { DecisionPanel, type PanelStep } from '../queue/decision.tsx'

interface ReviewActsProps {
  view: ProductionKeyView
  onceKey: string
  stepUp: string | null
}

/** What a reviewer or operations may do now, by the table. */
export function ProductionReviewActs({ view, onceKey, stepUp }: ReviewActsProps) {
  const may = (event: string) => view.allowed.some((each) => each === event)
  if (stepUp)
    return (
      <Banner tone="turn" title="Decisions need a fresh proof that it is you.">
        <Link to={stepUp}>Confirm that it is you</Link>
      </Banner>
    )
  const shown = { of: view, onceKey }
  return (
    <>
      {view.firstApproval && may('approve') && (
        <Banner tone="wait" title={`${view.firstApproval.byName} approved it first.`}>
          Full takes two: a second reviewer decides.
        </Banner>
      )}
      {view.party === 'reviewer' && <DecisionPanel {...shown} steps={reviewSteps(view)} />}
      {view.proposal && may('reject') && (
        <Banner tone="wait" title={`${view.proposal.byName} proposes to reject it.`}>
          {view.proposal.text}
        </Banner>
      )}
      <StepForms {...shown} steps={decisionSteps(view)} />
      {view.party === 'ops' && <StepForms {...shown} steps={opsSteps} />}
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
  const own = view.claimedByMe
  const colleague = view.assignedToMe ? null : view.claimedBy
  const holder = colleague ? `${colleague} has it.` : 'It is unassigned.'
  const missing = view.facts?.missing ?? []
  const second = view.level === 'full' && view.firstApproval !== null
  return {
    claim: !own && {
      title: colleague ? 'Take it over' : 'Claim it',
      button: colleague ? `Take over from ${colleague}` : 'Claim',
      look: 'primary',
      text: `${view.assignedToMe ? 'It is assigned to you.' : holder} Then it is yours to decide.`,
      keys: second ? ['n', 'r'] : ['a', 'n', 'r'],
      next: !second,
    },
    approve: !view.proposal &&
      (second ? !view.firstApproval?.mine : own) && {
        title: 'Approve',
        button: view.level === 'full' && !second ? 'Approve, as the first of two' : 'Approve the key',
        look: 'primary',
        text:
          missing.length === 0
            ? 'All four are in force at this moment; they are checked once more with your decision.'
            : `Not in force at this moment: ${missing.map((fact) => productionFacts[fact]).join(', ')}.`,
        keys: ['a'],
        next: true,
      },
    ask: own && {
      event: 'request_info',
      title: 'Ask for something',
      button: 'Ask the developers',
      text: 'The clock stands still until they answer.',
      children: Object.entries(productionInfoReasons).map(([code, { sentence, template }]) => (
        <div className="asked-item" key={code}>
          <Code code={code}>{sentence}</Code>
          <TextArea name={textFieldOf(code)} label="In words" value={template} rows={2} />
        </div>
      )),
      keys: ['n'],
    },
    propose: own &&
      !view.proposal && {
        event: 'propose_rejection',
        title: 'Propose to reject it',
        button: 'Propose the rejection',
        look: 'danger',
        text: 'A second reviewer confirms it.',
        children: Object.entries(productionRejectionReasons).map(([code, { sentence }]) => (
          <Code key={code} code={code}>
            {sentence}
          </Code>
        )),
        reason: 'In words, for the developers',
        reasonName: 'text',
        keys: ['r'],
      },
  }
}

function decisionSteps(view: ProductionKeyView): Record<string, Step | false> {
  return {
    reject: view.proposal?.mine === false && {
      title: 'Confirm the rejection',
      button: 'Reject it',
      look: 'danger',
    },
    dismiss: view.proposal !== null && {
      event: 'reject',
      title: 'Dismiss the proposal',
      button: 'Dismiss',
      reason: 'Why, for colleagues',
      reasonName: 'text',
    },
    release: {
      title: 'The practice knows of it after all',
      button: 'Release it',
      reason: 'What you found, for both sides',
    },
    close: {
      title: 'It was not theirs',
      button: 'Close it',
      look: 'danger',
      reason: 'What you found, for both sides',
    },
  }
}

const opsSteps: Record<string, Step> = {
  suspend: {
    title: 'Suspend it',
    button: 'Suspend now',
    look: 'danger',
    reason: 'Reason, for both sides',
  },
  reinstate: { title: 'Let it work again', button: 'Let it work', reason: 'What has changed' },
  revoke: {
    title: 'Revoke it',
    button: 'Revoke for good',
    look: 'danger',
    reason: 'Reason, for both sides',
  },
}
