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
import type { ReviewView } from '../../../server/domain/registrations/registration-types.ts'
import { ActionForm, type Step, StepForms } from '../../components/ui/action-form.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Checkboxes } from '../../components/ui/choice.tsx'
import { TextArea } from '../../components/ui/field.tsx'

const text = { required: true, maxLength: reviewTextLength.max }

interface StepsProps {
  view: ReviewView
  onceKey: string
}

/** The steps that the table lists for a reviewer in this state. */
export function ReviewerSteps({ view, onceKey }: StepsProps) {
  const own = view.mine
  const ready = view.authenticity === 'verified' && view.configuration === 'valid'
  const steps: Record<string, Step | false | null> = {
    claim: !own && {
      title: view.claimedBy ? 'Take it over' : 'Claim it',
      button: view.claimedBy ? `Take over from ${view.claimedBy}` : 'Claim',
      look: 'primary',
      text: `${view.claimedBy ? `${view.claimedBy} has it.` : 'Nobody has it.'} Then it is yours to decide.`,
    },
    verify: view.authenticity !== 'verified' &&
      view.receivedAt !== null && {
        event: 'verify_authenticity',
        title: 'Authenticity',
        button: 'Verify who asks',
        children: (
          <>
            <AuthenticityChecks ids={view.checks} />
            <TextArea {...text} name="evidence" label="Evidence, for colleagues" />
          </>
        ),
      },
    validate: own &&
      view.configuration !== 'valid' && {
        event: 'validate_configuration',
        title: 'Configuration',
        button: 'The configuration is right',
        children: <TickedChecks ids={view.checks.filter((id) => configurationChecks.includes(id))} />,
      },
    approve: own &&
      !view.proposal && {
        title: 'Approve',
        button: 'Approve the request',
        look: 'primary',
        text: ready
          ? 'Both decisions are made. The authorization server is asked next; only its yes enables the app.'
          : 'Both decisions, authenticity and configuration, come first.',
      },
    ask: own && {
      event: 'request_info',
      title: 'Ask for what is missing',
      button: 'Ask the developer',
      text: 'All of it at once: what could be asked now and is asked later does not stop the clock.',
      children: <InfoItems ids={view.checks} />,
    },
  }
  return (
    <>
      <StepForms of={view} onceKey={onceKey} steps={steps} />
      {view.proposal && <ProposedRejection view={view} onceKey={onceKey} proposal={view.proposal} />}
      <StepForms
        of={view}
        onceKey={onceKey}
        steps={{
          propose: own &&
            !view.proposal && {
              event: 'propose_rejection',
              title: 'Reject',
              button: 'Propose the rejection',
              look: 'danger',
              text: 'A second reviewer confirms it.',
              children: (
                <>
                  <Reasons ids={view.checks} />
                  <TextArea {...text} name="text" label="Words to the developer" />
                </>
              ),
            },
        }}
      />
    </>
  )
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
        {proposal.own && <p className="muted">You proposed it: a colleague confirms or dismisses it.</p>}
      </Card>
      {!proposal.own && (
        <ActionForm
          version={view.version}
          onceKey={onceKey}
          intent="reject"
          title="Confirm the rejection"
          button="Reject the request"
          look="danger"
          text="The developer gets the reasons, what would change them, and 30 days to appeal."
        />
      )}
      <ActionForm
        version={view.version}
        onceKey={onceKey}
        intent="dismiss"
        title="Dismiss the proposal"
        button="Dismiss the proposal"
      >
        <TextArea {...text} name="text" label="Why" />
      </ActionForm>
    </>
  )
}

const reason = <TextArea {...text} name="reason" label="Reason, for the developer" />

/** What operations may do with it. */
export function OpsSteps({ view, onceKey }: StepsProps) {
  return (
    <StepForms
      of={view}
      onceKey={onceKey}
      steps={{
        suspend: view.productionClientId !== null && {
          title: 'Suspend',
          button: 'Suspend the app',
          look: 'danger',
          children: (
            <>
              {reason}
              <TextArea {...text} name="evidence" label="Evidence, for us" />
            </>
          ),
        },
        reinstate: { title: 'Reinstate', button: 'End the suspension', children: reason },
        retire: { title: 'Retire', button: 'Retire the app for good', look: 'danger', children: reason },
        retry: {
          title: 'Probe again',
          button: 'Probe again',
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
    <ul className="stack tight">
      {ids
        .filter((id) => registrationChecks[id].part === 'authenticity')
        .map((id) => (
          <li key={id}>
            <b>{registrationChecks[id].title}.</b> {registrationChecks[id].look}
          </li>
        ))}
    </ul>
  )
}

function TickedChecks({ ids }: { ids: readonly RegistrationCheckId[] }) {
  return (
    <Checkboxes
      name="checked"
      legend="Tick what you looked at and found right"
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

/** A box for each reason of the list, with the words it begins with beside it. */
function InfoItems({ ids }: { ids: readonly RegistrationCheckId[] }) {
  const codes = (Object.keys(infoReasons) as InfoReason[]).filter((code) =>
    ids.includes(infoReasons[code].check),
  )
  return (
    <fieldset className="choices">
      <legend>What is missing</legend>
      {codes.map((code) => (
        <div key={code} className="stack tight">
          <label className="check">
            <input type="checkbox" name="codes" value={code} />
            <span>{infoReasons[code].sentence}</span>
          </label>
          <TextArea
            name={textFieldOf(code)}
            label={`Words about: ${infoReasons[code].sentence}`}
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

function Reasons({ ids }: { ids: readonly RegistrationCheckId[] }) {
  const codes = (Object.keys(rejectionReasons) as RejectionReason[]).filter((code) =>
    ids.includes(rejectionReasons[code].check),
  )
  const options = codes.map((value) => ({
    value,
    label: `${rejectionReasons[value].sentence} ${rejectionReasons[value].template}`,
  }))
  return <Checkboxes name="codes" legend="Reasons" options={options} />
}
