import { Link } from '@remix-run/react'
import { textFieldOf } from '../../../server/contract/forms/step-forms.ts'
import {
  productionFacts,
  productionInfoReasons,
  productionRejectionReasons,
} from '../../../server/contract/workflows/production-key-review.ts'
import type { ProductionKeyView } from '../../../server/domain/production-keys/reads.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { TextArea } from '../../components/ui/field.tsx'

interface ReviewActsProps {
  view: ProductionKeyView
  onceKey: string
  stepUp: string | null
}

/** What a reviewer or operations may do now, by the table. */
export function ProductionReviewActs({ view, onceKey, stepUp }: ReviewActsProps) {
  const may = (event: string) => view.allowed.some((each) => each === event)
  const once = { version: view.version, onceKey }
  const own = view.claimedByMe
  const missing = view.facts?.missing ?? []
  const second = view.level === 'full' && view.firstApproval !== null
  const mayApprove = may('approve') && !view.proposal && (second ? !view.firstApproval?.mine : own)
  if (stepUp)
    return (
      <Banner tone="turn" title="Decisions need a fresh proof that it is you.">
        <Link to={stepUp}>Confirm that it is you</Link>
      </Banner>
    )
  return (
    <>
      {may('claim') && !own && (
        <ActionForm
          {...once}
          intent="claim"
          title={view.claimedBy ? 'Take it over' : 'Claim it'}
          button={view.claimedBy ? `Take over from ${view.claimedBy}` : 'Claim'}
          look="primary"
        >
          <p>{view.claimedBy ? `${view.claimedBy} has it.` : 'Nobody has it.'} Then it is yours to decide.</p>
        </ActionForm>
      )}
      {view.firstApproval && may('approve') && (
        <Banner tone="wait" title={`${view.firstApproval.byName} approved it first.`}>
          Full takes two: a second reviewer decides.
        </Banner>
      )}
      {mayApprove && (
        <ActionForm
          {...once}
          intent="approve"
          title="Approve"
          button={view.level === 'full' && !second ? 'Approve, as the first of two' : 'Approve the key'}
          look="primary"
        >
          <p>
            {missing.length === 0
              ? 'All four are in force at this moment; they are checked once more with your decision.'
              : `Not in force at this moment: ${missing.map((fact) => productionFacts[fact]).join(', ')}.`}
          </p>
        </ActionForm>
      )}
      {may('request_info') && own && (
        <ActionForm {...once} intent="ask" title="Ask for something" button="Ask the developers">
          <p>The clock stands still until they answer.</p>
          {Object.entries(productionInfoReasons).map(([code, { sentence, template }]) => (
            <div className="stack tight" key={code}>
              <label className="check">
                <input type="checkbox" name="codes" value={code} />
                <span>{sentence}</span>
              </label>
              <TextArea name={textFieldOf(code)} label="In words" value={template} rows={2} />
            </div>
          ))}
        </ActionForm>
      )}
      {may('propose_rejection') && own && !view.proposal && (
        <ActionForm
          {...once}
          intent="propose"
          title="Propose to reject it"
          button="Propose the rejection"
          look="danger"
          reason="In words, for the developers"
          reasonName="text"
        >
          <p>A second reviewer confirms it.</p>
          {Object.entries(productionRejectionReasons).map(([code, { sentence }]) => (
            <label className="check" key={code}>
              <input type="checkbox" name="codes" value={code} />
              <span>{sentence}</span>
            </label>
          ))}
        </ActionForm>
      )}
      {view.proposal && may('reject') && (
        <>
          <Banner tone="wait" title={`${view.proposal.byName} proposes to reject it.`}>
            {view.proposal.text}
          </Banner>
          {!view.proposal.mine && (
            <ActionForm
              {...once}
              intent="reject"
              title="Confirm the rejection"
              button="Reject it"
              look="danger"
            />
          )}
          <ActionForm
            {...once}
            intent="dismiss"
            title="Dismiss the proposal"
            button="Dismiss"
            reason="Why, for colleagues"
            reasonName="text"
          />
        </>
      )}
      {may('release') && (
        <ActionForm
          {...once}
          intent="release"
          title="The practice knows of it after all"
          button="Release it"
          reason="What you found, for both sides"
        />
      )}
      {may('close') && (
        <ActionForm
          {...once}
          intent="close"
          title="It was not theirs"
          button="Close it"
          look="danger"
          reason="What you found, for both sides"
        />
      )}
      {may('suspend') && view.party === 'ops' && (
        <ActionForm
          {...once}
          intent="suspend"
          title="Suspend it"
          button="Suspend now"
          look="danger"
          reason="Reason, for both sides"
        />
      )}
      {may('reinstate') && view.party === 'ops' && (
        <ActionForm
          {...once}
          intent="reinstate"
          title="Let it work again"
          button="Let it work"
          reason="What has changed"
        />
      )}
      {may('revoke') && view.party === 'ops' && (
        <ActionForm
          {...once}
          intent="revoke"
          title="Revoke it"
          button="Revoke for good"
          look="danger"
          reason="Reason, for both sides"
        />
      )}
    </>
  )
}
