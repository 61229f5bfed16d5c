import { Link } from '@remix-run/react'
import {
  type RejectionReason,
  rejectionReasons,
} from '../../../server/contract/workflows/registration-checks.ts'
import type { FieldChange } from '../../../server/contract/workflows/registration-form.ts'
import type {
  RegistrationEventName,
  RegistrationKind,
  RegistrationState,
} from '../../../server/contract/workflows/registration-workflow.ts'
import { Banner, Card, Moment } from '../../components/ui/page-parts.tsx'

interface RegistrationNextProps {
  state: RegistrationState
  items: readonly unknown[]
  probeFailure: string | null
  unreachable: boolean
  /** The path of the change that is in review. */
  openChange: string | null
  rejection: readonly RejectionReason[]
}

/** Says what is next, who must act, and what happens otherwise. */
export function RegistrationNext({
  state,
  items,
  probeFailure,
  unreachable,
  openChange,
  rejection,
}: RegistrationNextProps) {
  if (unreachable)
    return (
      <Banner tone="bad" title="An email about this request could not be delivered.">
        Check the contacts and your account’s email address. The clocks keep running.
      </Banner>
    )
  switch (state) {
    case 'needs_info':
      return (
        <Banner
          tone="turn"
          title={`Answer ${items.length} ${items.length === 1 ? 'question' : 'questions'} about your app.`}
        >
          Our review clock is paused until you answer. After 30 days without an answer we close the request.
          You can reopen it for a year.
        </Banner>
      )
    case 'rejected':
      return (
        <Banner tone="bad" title="Rejected. You can appeal for 30 days.">
          {rejection.map((code) => (
            <span className="block" key={code}>
              {rejectionReasons[code].sentence} {rejectionReasons[code].template}
            </span>
          ))}
        </Banner>
      )
    case 'enabling':
      return (
        <Banner tone="wait" title="Approved. We are checking the authorization server.">
          {probeFailure ?? 'The app is enabled when the server accepts it.'}
        </Banner>
      )
    case 'enabled':
      return openChange ? (
        <Banner tone="wait" title="A change is in review. The current configuration stays active.">
          <Link to={openChange}>View change</Link>
        </Banner>
      ) : (
        <Banner tone="ok" title="Enabled. The authorization server accepts the app." />
      )
    case 'submitted':
    case 'resubmitted':
    case 'in_review':
      return (
        <Banner tone="wait" title="A reviewer has your request. No action is needed.">
          We email you when there is a question or a decision.
        </Banner>
      )
    default:
      return null
  }
}

interface WaitingOnProps {
  kind: RegistrationKind
  state: string
  audience: 'patient' | 'clinician' | 'backend'
  questions: number
}

const last = {
  patient: ['Patients', 'decide for themselves'],
  clinician: ['Clinicians', 'sign in and decide'],
  backend: ['Practices', 'authorize the system'],
} as const

const ofKey = {
  limits: ['Key', 'has the new limits'],
  key_term: ['Key', 'has the new term'],
} as const

const stepOf: Readonly<Record<string, number>> = {
  draft: 0,
  needs_info: 0,
  submitted: 1,
  resubmitted: 1,
  in_review: 1,
  enabling: 2,
  enabled: 3,
}

/** Whether the request still needs an action. */
export const isOnTheWay = (state: string) => stepOf[state] !== undefined

/** The steps of a request, each with the person or system that acts. The current step is filled. */
export function WaitingOn({ kind, state, audience, questions }: WaitingOnProps) {
  const step = stepOf[state]
  if (step === undefined) return null
  const you = ['You', state === 'needs_info' ? `${questions} to answer` : 'complete and submit'] as const
  // A key's limits and term need no configuration: they hold as soon as a reviewer approves them.
  const isOfKey = kind === 'limits' || kind === 'key_term'
  const steps = isOfKey
    ? ([you, ['Reviewer', 'decides'], ofKey[kind]] as const)
    : ([
        you,
        ['Reviewer', 'reviews the app'],
        ['Authorization server', 'accepts the client'],
        last[audience],
      ] as const)
  const now = Math.min(step, steps.length - 1)
  return (
    <ol className="waiting-on" aria-label="Next step">
      {steps.map(([who, what], index) => (
        <li
          key={who}
          className={index < now ? 'did' : index > now ? undefined : index === 0 ? 'has' : 'has theirs'}
          aria-current={index === now ? 'step' : undefined}
        >
          <span />
          <span>
            <b>{who}</b>
            <br />
            {what}
          </span>
        </li>
      ))}
    </ol>
  )
}

interface VersionDiffsProps {
  diffs: readonly { number: number; at: Date; changes: readonly FieldChange[] }[]
}

/** Each changed field with its old and new value. */
export function FieldChanges({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <dl className="facts wide mt-3">
      {changes.map(({ field, label, before, after }) => (
        <div key={field} className="contents">
          <dt>{label}</dt>
          <dd className="breaks">
            <del>{before || 'nothing'}</del> <ins>{after || 'nothing'}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What changed from one submitted version to the next. */
export function VersionDiffs({ diffs }: VersionDiffsProps) {
  if (diffs.length === 0) return null
  return (
    <Card id="versions" title="What changed between versions">
      <div className="pad stack">
        {diffs.map(({ number, at, changes }) => (
          <details key={number}>
            <summary>
              Version {number}, <Moment at={at} />:{' '}
              {changes.length === 0 ? 'nothing' : changes.map(({ label }) => label).join(', ')}
            </summary>
            <FieldChanges changes={changes} />
          </details>
        ))}
      </div>
    </Card>
  )
}

/** Labels of the workflow's events that developers see. */
const words: Record<
  Exclude<RegistrationEventName, 'save' | 'propose_rejection' | 'dismiss_rejection'> | 'clock_breach',
  string
> = {
  create: 'Draft created',
  submit: 'Submitted',
  submit_request: 'Submitted',
  submit_incomplete: 'Received, but incomplete',
  claim: 'Claimed for review',
  verify_authenticity: 'Organization verified',
  validate_configuration: 'Configuration approved',
  request_info: 'Questions sent',
  resubmit: 'Answers received',
  remind: 'Reminder sent',
  lapse: 'Withdrawn after 30 days without an answer',
  withdraw: 'Withdrawn',
  approve: 'Approved; checking the authorization server',
  probe_ok: 'Authorization server accepted the app: enabled',
  probe_fail: 'Authorization server has not accepted the app yet',
  retry: 'Authorization server checked again',
  reject: 'Rejected',
  appeal: 'Appealed',
  change: 'Details changed',
  request_change: 'Change requested',
  suspend: 'Stopped',
  reinstate: 'Active again',
  retire: 'Retired',
  reopen: 'Reopened',
  clock_breach: 'A deadline passed; operations were alerted',
}

export const eventWords: Readonly<Record<string, string>> = words
