import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { ReviewIntent } from '../../../server/contract/forms-review.ts'
import { textFieldOf } from '../../../server/contract/forms-review.ts'
import {
  configurationChecks,
  type InfoReason,
  infoReasons,
  type RegistrationCheckId,
  type RejectionReason,
  registrationChecks,
  rejectionReasons,
  reviewTextLength,
} from '../../../server/contract/registration-checks.ts'
import type { ReviewView } from '../../../server/domain/registrations/registration-types.ts'
import { SubmitButton } from '../ui/button.tsx'
import { TextWarning } from '../ui/text-warning.tsx'

interface StepProps {
  view: ReviewView
  intent: ReviewIntent
  title: string
  button: string
  /** Made with the page, and different for each of its forms. */
  onceKey: string
  look?: 'primary' | 'outline' | 'danger'
  children?: ReactNode
}

/** One step, one form: it says which version of the request it was made for. */
function Step({ view, intent, title, button, onceKey, look = 'outline', children }: StepProps) {
  return (
    <Form method="post" className="card pad stack" aria-label={title}>
      <h2>{title}</h2>
      <input type="hidden" name="version" value={view.version} />
      <input type="hidden" name="idempotencyKey" value={`${onceKey}-${intent}`} />
      {children}
      <div>
        <SubmitButton look={look} name="intent" value={intent} busy="Sending">
          {button}
        </SubmitButton>
      </div>
    </Form>
  )
}

/** The steps that the table lists for a reviewer in this state. */
export function ReviewerSteps({ view, onceKey }: { view: ReviewView; onceKey: string }) {
  const may = (event: string) => view.allowed.some((each) => each === event)
  const own = view.mine
  const common = { view, onceKey }
  return (
    <>
      {may('claim') && !own && (
        <Step
          {...common}
          intent="claim"
          title={view.claimedBy ? 'Take it over' : 'Claim it'}
          button={view.claimedBy ? `Take over from ${view.claimedBy}` : 'Claim'}
          look="primary"
        >
          <p>{view.claimedBy ? `${view.claimedBy} has it.` : 'Nobody has it.'} Then it is yours to decide.</p>
        </Step>
      )}
      {may('verify_authenticity') && view.authenticity !== 'verified' && view.receivedAt && (
        <Step {...common} intent="verify" title="Authenticity" button="Verify who asks">
          <Checks ids={view.checks} part="authenticity" />
          <Words name="evidence" label="Evidence, for colleagues" intent="verify" />
        </Step>
      )}
      {own && may('validate_configuration') && view.configuration !== 'valid' && (
        <Step {...common} intent="validate" title="Configuration" button="The configuration is right">
          <TickedChecks ids={view.checks.filter((id) => configurationChecks.includes(id))} />
        </Step>
      )}
      {own && may('approve') && !view.proposal && (
        <Step {...common} intent="approve" title="Approve" button="Approve the request" look="primary">
          <p>
            {view.authenticity === 'verified' && view.configuration === 'valid'
              ? 'Both decisions are made. The authorization server is asked next; only its yes enables the app.'
              : 'Both decisions, authenticity and configuration, come first.'}
          </p>
        </Step>
      )}
      {own && may('request_info') && (
        <Step {...common} intent="ask" title="Ask for what is missing" button="Ask the developer">
          <p>All of it at once: what could be asked now and is asked later does not stop the clock.</p>
          <InfoItems ids={view.checks} />
        </Step>
      )}
      {view.proposal && <ProposedRejection {...common} />}
      {own && may('propose_rejection') && !view.proposal && (
        <Step {...common} intent="propose" title="Reject" button="Propose the rejection" look="danger">
          <p>A second reviewer confirms it.</p>
          <Reasons ids={view.checks} />
          <Words name="text" label="Words to the developer" id="reject-text" intent="propose" />
        </Step>
      )}
    </>
  )
}

function ProposedRejection({ view, onceKey }: { view: ReviewView; onceKey: string }) {
  const { proposal } = view
  if (!proposal) return null
  return (
    <>
      <section className="card pad stack" aria-labelledby="proposal">
        <h2 id="proposal">Rejection proposed by {proposal.by}</h2>
        <ul className="stack tight">
          {proposal.codes.map((code) => (
            <li key={code}>{rejectionReasons[code as RejectionReason]?.sentence ?? code}</li>
          ))}
        </ul>
        <p className="breaks">{proposal.text}</p>
        {proposal.own && <p className="muted">You proposed it: a colleague confirms or dismisses it.</p>}
      </section>
      {!proposal.own && (
        <Step
          view={view}
          onceKey={onceKey}
          intent="reject"
          title="Confirm the rejection"
          button="Reject the request"
          look="danger"
        >
          <p>The developer gets the reasons, what would change them, and 30 days to appeal.</p>
        </Step>
      )}
      <Step
        view={view}
        onceKey={onceKey}
        intent="dismiss"
        title="Dismiss the proposal"
        button="Dismiss the proposal"
      >
        <Words name="text" label="Why" id="dismiss-text" intent="dismiss" />
      </Step>
    </>
  )
}

/** What operations may do with it. */
export function OpsSteps({ view, onceKey }: { view: ReviewView; onceKey: string }) {
  const may = (event: string) => view.allowed.some((each) => each === event)
  const common = { view, onceKey }
  return (
    <>
      {may('suspend') && view.productionClientId && (
        <Step {...common} intent="suspend" title="Suspend" button="Suspend the app" look="danger">
          <Words name="reason" label="Reason, for the developer" id="suspend-reason" intent="suspend" />
          <Words name="evidence" label="Evidence, for us" id="suspend-evidence" intent="suspend" />
        </Step>
      )}
      {may('reinstate') && (
        <Step {...common} intent="reinstate" title="Reinstate" button="End the suspension">
          <Words name="reason" label="Reason, for the developer" id="reinstate-reason" intent="reinstate" />
        </Step>
      )}
      {may('retire') && (
        <Step {...common} intent="retire" title="Retire" button="Retire the app for good" look="danger">
          <Words name="reason" label="Reason, for the developer" id="retire-reason" intent="retire" />
        </Step>
      )}
      {may('retry') && (
        <Step {...common} intent="retry" title="Probe again" button="Probe again">
          <p className="breaks">{view.probeFailure}</p>
          <Words name="reason" label="What has changed" id="retry-reason" intent="retry" />
        </Step>
      )}
    </>
  )
}

export function Words({ name, label, intent, id = name }: WordsProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea className="input" id={id} name={name} rows={3} required maxLength={reviewTextLength.max} />
      <TextWarning field={name} intent={intent} />
    </div>
  )
}

interface WordsProps {
  name: string
  label: string
  intent: ReviewIntent
  id?: string
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
    <fieldset className="choices">
      <legend>Tick what you looked at and found right</legend>
      {ids.map((id) => (
        <label className="check" key={id}>
          <input type="checkbox" name="checked" value={id} required />
          <span>
            <b>{registrationChecks[id].title}.</b> {registrationChecks[id].look}
          </span>
        </label>
      ))}
    </fieldset>
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
          <textarea
            className="input"
            name={textFieldOf(code)}
            aria-label={`Words about: ${infoReasons[code].sentence}`}
            rows={2}
            maxLength={reviewTextLength.max}
            defaultValue={infoReasons[code].template}
          />
          <TextWarning field={textFieldOf(code)} intent="ask" />
        </div>
      ))}
    </fieldset>
  )
}

function Reasons({ ids }: { ids: readonly RegistrationCheckId[] }) {
  const codes = (Object.keys(rejectionReasons) as RejectionReason[]).filter((code) =>
    ids.includes(rejectionReasons[code].check),
  )
  return (
    <fieldset className="choices">
      <legend>Reasons</legend>
      {codes.map((code) => (
        <label className="check" key={code}>
          <input type="checkbox" name="codes" value={code} />
          <span>
            {rejectionReasons[code].sentence} {rejectionReasons[code].template}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
