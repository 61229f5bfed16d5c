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
import { ActionForm } from '../../components/ui/action-form.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Checkboxes } from '../../components/ui/choice.tsx'
import { TextArea } from '../../components/ui/field.tsx'

const text = { required: true, maxLength: reviewTextLength.max }

/** The steps that the table lists for a reviewer in this state. */
export function ReviewerSteps({ view, onceKey }: { view: ReviewView; onceKey: string }) {
  const may = (event: string) => view.allowed.some((each) => each === event)
  const own = view.mine
  const once = { version: view.version, onceKey }
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
      {may('verify_authenticity') && view.authenticity !== 'verified' && view.receivedAt && (
        <ActionForm {...once} intent="verify" title="Authenticity" button="Verify who asks">
          <Checks ids={view.checks} part="authenticity" />
          <TextArea {...text} name="evidence" label="Evidence, for colleagues" />
        </ActionForm>
      )}
      {own && may('validate_configuration') && view.configuration !== 'valid' && (
        <ActionForm {...once} intent="validate" title="Configuration" button="The configuration is right">
          <TickedChecks ids={view.checks.filter((id) => configurationChecks.includes(id))} />
        </ActionForm>
      )}
      {own && may('approve') && !view.proposal && (
        <ActionForm {...once} intent="approve" title="Approve" button="Approve the request" look="primary">
          <p>
            {view.authenticity === 'verified' && view.configuration === 'valid'
              ? 'Both decisions are made. The authorization server is asked next; only its yes enables the app.'
              : 'Both decisions, authenticity and configuration, come first.'}
          </p>
        </ActionForm>
      )}
      {own && may('request_info') && (
        <ActionForm {...once} intent="ask" title="Ask for what is missing" button="Ask the developer">
          <p>All of it at once: what could be asked now and is asked later does not stop the clock.</p>
          <InfoItems ids={view.checks} />
        </ActionForm>
      )}
      {view.proposal && <ProposedRejection view={view} onceKey={onceKey} />}
      {own && may('propose_rejection') && !view.proposal && (
        <ActionForm {...once} intent="propose" title="Reject" button="Propose the rejection" look="danger">
          <p>A second reviewer confirms it.</p>
          <Reasons ids={view.checks} />
          <TextArea {...text} name="text" label="Words to the developer" />
        </ActionForm>
      )}
    </>
  )
}

function ProposedRejection({ view, onceKey }: { view: ReviewView; onceKey: string }) {
  const { proposal } = view
  const once = { version: view.version, onceKey }
  if (!proposal) return null
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
          {...once}
          intent="reject"
          title="Confirm the rejection"
          button="Reject the request"
          look="danger"
        >
          <p>The developer gets the reasons, what would change them, and 30 days to appeal.</p>
        </ActionForm>
      )}
      <ActionForm {...once} intent="dismiss" title="Dismiss the proposal" button="Dismiss the proposal">
        <TextArea {...text} name="text" label="Why" />
      </ActionForm>
    </>
  )
}

/** What operations may do with it. */
export function OpsSteps({ view, onceKey }: { view: ReviewView; onceKey: string }) {
  const may = (event: string) => view.allowed.some((each) => each === event)
  const once = { version: view.version, onceKey }
  return (
    <>
      {may('suspend') && view.productionClientId && (
        <ActionForm {...once} intent="suspend" title="Suspend" button="Suspend the app" look="danger">
          <TextArea {...text} name="reason" label="Reason, for the developer" />
          <TextArea {...text} name="evidence" label="Evidence, for us" />
        </ActionForm>
      )}
      {may('reinstate') && (
        <ActionForm {...once} intent="reinstate" title="Reinstate" button="End the suspension">
          <TextArea {...text} name="reason" label="Reason, for the developer" />
        </ActionForm>
      )}
      {may('retire') && (
        <ActionForm {...once} intent="retire" title="Retire" button="Retire the app for good" look="danger">
          <TextArea {...text} name="reason" label="Reason, for the developer" />
        </ActionForm>
      )}
      {may('retry') && (
        <ActionForm {...once} intent="retry" title="Probe again" button="Probe again">
          <p className="breaks">{view.probeFailure}</p>
          <TextArea {...text} name="reason" label="What has changed" />
        </ActionForm>
      )}
    </>
  )
}

function Checks({
  ids,
  part,
}: {
  ids: readonly RegistrationCheckId[]
  part: 'authenticity' | 'configuration'
}) {
  return (
    <ul className="stack tight">
      {ids
        .filter((id) => registrationChecks[id].part === part)
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
