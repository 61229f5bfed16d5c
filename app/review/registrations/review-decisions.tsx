import { textFieldOf } from '../../../server/contract/forms/step-forms.ts'
import {
  configurationChecks,
  type InfoReason,
  infoReasons,
  type RegistrationCheckId,
  type RejectionReason,
  registrationChecks,
  rejectionReasons,
  reviewTextLength,
} from '../../../server/contract/workflows/registration-checks.ts'
import type { ReviewView } from '../../../server/domain/registrations/read-review.ts'
import { ActionForm, StepForms } from '../../components/ui/action-form.tsx'
import { Checkboxes } from '../../components/ui/choice.tsx'
import { TextArea } from '../../components/ui/form.tsx'
import { Card } from '../../components/ui/page-parts.tsx'
import { DecisionPanel, type PanelStep } from '../queue/decision.tsx'

const text = { required: true, maxLength: reviewTextLength.max }

interface StepsProps {
  view: ReviewView
  onceKey: string
}

/** The steps that the workflow allows a reviewer now. */
export function ReviewerSteps({ view, onceKey }: StepsProps) {
  const claimedByReader = view.mine
  return (
    <>
      {view.proposal && <ProposedRejection view={view} onceKey={onceKey} proposal={view.proposal} />}
      <DecisionPanel
        view={view}
        onceKey={onceKey}
        steps={{
          claim: !claimedByReader && claimStep(view),
          ...approvalSteps(view),
          ask: claimedByReader && {
            event: 'request_info',
            title: 'Ask for missing information',
            button: 'Send questions',
            text: 'Ask everything at once. The clock keeps running for questions you could have asked earlier.',
            children: <InfoItems ids={view.checks} />,
          },
          propose: claimedByReader &&
            !view.proposal && {
              event: 'propose_rejection',
              title: 'Reject',
              button: 'Propose rejection',
              look: 'danger',
              text: 'A second reviewer confirms it.',
              children: (
                <>
                  <Reasons ids={view.checks} />
                  <TextArea {...text} name="text" label="Explanation for the developer" />
                </>
              ),
            },
        }}
      />
    </>
  )
}

function claimStep({ claimedBy, assignedToReader }: ReviewView): PanelStep {
  const colleague = assignedToReader ? null : claimedBy
  const holder = colleague ? `${colleague} has claimed it.` : 'It is unassigned.'
  return {
    title: colleague ? 'Take over the request' : 'Claim the request',
    button: colleague ? 'Take over request' : 'Claim request',
    look: 'primary',
    text: `${assignedToReader ? 'It is assigned to you.' : holder} Claim it to decide.`,
    next: true,
  }
}

/** Two decisions, identity and configuration, and the approval that needs both. */
function approvalSteps(view: ReviewView): Record<string, PanelStep | false | null> {
  const claimedByReader = view.mine
  const isVerified = view.authenticity === 'verified'
  const isValid = view.configuration === 'valid'
  return {
    verify: isVerified
      ? { title: 'Organization', button: '', done: 'Verified' }
      : view.receivedAt !== null && {
          event: 'verify_authenticity',
          title: 'Organization',
          button: 'Verify organization',
          children: (
            <>
              <AuthenticityChecks ids={view.checks} />
              <TextArea {...text} name="evidence" label="Evidence, for colleagues" />
            </>
          ),
          next: claimedByReader,
        },
    validate: isValid
      ? { title: 'Configuration', button: '', done: 'Checked' }
      : claimedByReader && {
          event: 'validate_configuration',
          title: 'Configuration',
          button: 'Confirm configuration',
          children: <TickedChecks ids={view.checks.filter((id) => configurationChecks.includes(id))} />,
          next: isVerified,
        },
    approve: claimedByReader &&
      !view.proposal && {
        title: 'Approve',
        button: 'Approve registration',
        look: 'primary',
        text:
          isVerified && isValid
            ? 'Both decisions are made. Next, we check that the authorization server accepts the app, and enable it.'
            : 'Decide on the organization and the configuration first.',
        next: isVerified && isValid,
      },
  }
}

function ProposedRejection(props: StepsProps & { proposal: NonNullable<ReviewView['proposal']> }) {
  const { view, onceKey, proposal } = props
  return (
    <>
      <Card padded id="proposal" title={<>Rejection proposed by {proposal.by}</>}>
        <ul className="stack tight">
          {proposal.codes.map((code) => (
            <li key={code}>{rejectionReasons[code as RejectionReason]?.sentence ?? code}</li>
          ))}
        </ul>
        <p className="breaks">{proposal.text}</p>
        {proposal.own && <p className="muted">You proposed it, so a colleague must confirm or dismiss it.</p>}
      </Card>
      {!proposal.own && (
        <ActionForm
          version={view.version}
          onceKey={onceKey}
          intent="reject"
          title="Confirm the rejection"
          button="Reject request"
          look="danger"
          text="The developer gets the reasons, what to change, and 30 days to appeal."
        />
      )}
      <ActionForm
        version={view.version}
        onceKey={onceKey}
        intent="dismiss"
        title="Dismiss the proposed rejection"
        button="Dismiss proposal"
      >
        <TextArea {...text} name="text" label="Reason" />
      </ActionForm>
    </>
  )
}

const reason = <TextArea {...text} name="reason" label="Reason, for the developer" />

/** The steps that the workflow allows an operator now. */
export function OpsSteps({ view, onceKey }: StepsProps) {
  return (
    <StepForms
      view={view}
      onceKey={onceKey}
      steps={{
        suspend: view.productionClientId !== null && {
          title: 'Stop',
          button: 'Stop app',
          look: 'danger',
          children: (
            <>
              {reason}
              <TextArea {...text} name="evidence" label="Evidence, for colleagues" />
            </>
          ),
        },
        reinstate: { title: 'Resume', button: 'Resume app', children: reason },
        retire: { title: 'Retire', button: 'Retire app permanently', look: 'danger', children: reason },
        retry: {
          title: 'Check the authorization server again',
          button: 'Check again',
          children: (
            <>
              <p className="breaks">{view.probeFailure}</p>
              <TextArea {...text} name="reason" label="What has changed" />
            </>
          ),
        },
      }}
    />
  )
}

function AuthenticityChecks({ ids }: { ids: readonly RegistrationCheckId[] }) {
  return (
    <>
      <p>Verify the organization if all of this is true:</p>
      <ul className="stack tight">
        {ids
          .filter((id) => registrationChecks[id].part === 'authenticity')
          .map((id) => (
            <li key={id}>
              <b>{registrationChecks[id].title}.</b> {registrationChecks[id].look}
            </li>
          ))}
      </ul>
    </>
  )
}

function TickedChecks({ ids }: { ids: readonly RegistrationCheckId[] }) {
  return (
    <Checkboxes
      name="checked"
      legend="Select what you checked and found correct"
      required
      options={ids.map((id) => ({
        value: id,
        label: (
          <>
            <b>{registrationChecks[id].title}.</b> {registrationChecks[id].look}
          </>
        ),
      }))}
    />
  )
}

interface ReasonsProps {
  ids: readonly RegistrationCheckId[]
}

/** A checkbox for each question, with a comment that starts with the question's template. */
function InfoItems({ ids }: ReasonsProps) {
  const codes = (Object.keys(infoReasons) as InfoReason[]).filter((code) =>
    ids.includes(infoReasons[code].check),
  )
  return (
    <fieldset className="choices">
      <legend>Questions</legend>
      {codes.map((code) => (
        <div key={code} className="asked-item">
          <label className="check">
            <input type="checkbox" name="codes" value={code} />
            <span>{infoReasons[code].sentence}</span>
          </label>
          <TextArea
            name={textFieldOf(code)}
            label={`Comment on: ${infoReasons[code].sentence}`}
            quiet
            rows={2}
            maxLength={reviewTextLength.max}
            value={infoReasons[code].template}
          />
        </div>
      ))}
    </fieldset>
  )
}

function Reasons({ ids }: ReasonsProps) {
  const options = (Object.keys(rejectionReasons) as RejectionReason[])
    .filter((code) => ids.includes(rejectionReasons[code].check))
    .map((value) => ({
      value,
      label: `${rejectionReasons[value].sentence} ${rejectionReasons[value].template}`,
    }))
  return <Checkboxes name="codes" legend="Reasons" options={options} />
}
