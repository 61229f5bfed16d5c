import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  fieldLabels,
  type RegistrationForm,
  registrationFields,
  toText,
} from '../../../server/contract/workflows/registration-form.ts'
import {
  type RegistrationEventName,
  stateNames,
} from '../../../server/contract/workflows/registration-workflow.ts'
import type { ReviewView } from '../../../server/domain/registrations/read-review.ts'
import { CircleDot } from '../../components/ui/icons.ts'
import { Card, Facts, Moment } from '../../components/ui/page-parts.tsx'
import { Timeline } from '../../components/ui/timeline.tsx'
import { requestedFacts } from '../../shared/registrations/requested-facts.ts'

/** The developer's request, field by field. */
export function SubmittedForm({ view }: { view: ReviewView }) {
  return (
    <Card padded id="asked" title="Request">
      {view.reason && <p className="breaks">{view.reason}</p>}
      {view.requested && (
        <Facts
          className={facts}
          of={{ Of: view.name, ...Object.fromEntries(requestedFacts(view.requested)) }}
        />
      )}
      {(view.kind === 'app' || view.kind === 'change') && <FormFacts form={view.submitted ?? view.form} />}
    </Card>
  )
}

function FormFacts({ form }: { form: RegistrationForm }) {
  return (
    <Facts
      className={facts}
      of={Object.fromEntries(registrationFields.map((field) => [fieldLabels[field], toText(form[field])]))}
    />
  )
}

/** Breaks long words, because other people typed the text. */
const facts = 'facts breaks'

/** The organization, its domains, its earlier requests. */
export function OrganizationEvidence({ view }: { view: ReviewView }) {
  const { organization } = view
  return (
    <Card padded id="who" title="Organization">
      <Facts
        className={facts}
        of={{
          Organization: organization.name,
          Since: <Moment at={organization.createdAt} as="date" />,
          Members: organization.members,
          'Confirmed domains': organization.verifiedDomains.join(', ') || 'None',
          Website: (view.submitted ?? view.form).website || 'None',
        }}
      />
      <h3>Earlier requests</h3>
      {organization.earlier.length === 0 ? (
        <p className="muted">None.</p>
      ) : (
        <ul className="stack tight">
          {organization.earlier.map(({ id, name, state }) => (
            <li key={id}>
              <Link to={paths.reviewRegistration(id)}>{name || 'Untitled'}</Link>, {stateNames[state]}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** All events, newest first. */
export function ReviewHistory({ view }: { view: ReviewView }) {
  return (
    <Card padded id="history" title="History">
      <Timeline
        entries={[...view.timeline].reverse().map(({ at, event, by, codes, text }, index) => ({
          key: `${index}`,
          icon: CircleDot,
          text: (
            <>
              {describeEvent(event)} · {by}
              {codes.map((code) => (
                <span className="sub" key={code}>
                  {code.replaceAll('_', ' ')}
                </span>
              ))}
              {text && <span className="sub breaks">{text}</span>}
            </>
          ),
          at: <Moment at={at} />,
        }))}
      />
    </Card>
  )
}

/** Labels of events. Only rows of earlier releases have `assign`. */
const words: Readonly<
  Record<RegistrationEventName | 'assign' | 'clock_60' | 'clock_80' | 'clock_breach', string>
> = {
  create: 'Draft created',
  save: 'Form saved',
  submit: 'Submitted',
  submit_request: 'Submitted',
  submit_incomplete: 'Submitted with errors',
  verify_authenticity: 'Organization verified',
  remind: 'Reminder sent',
  lapse: 'Withdrawn after 30 days without an answer',
  withdraw: 'Withdrawn',
  assign: 'Assigned',
  claim: 'Claimed',
  validate_configuration: 'Configuration checked',
  request_info: 'Questions sent',
  approve: 'Approved',
  propose_rejection: 'Rejection proposed',
  dismiss_rejection: 'Proposed rejection dismissed',
  reject: 'Rejected',
  resubmit: 'Questions answered',
  probe_ok: 'Enabled: the authorization server accepts the app',
  probe_fail: 'The authorization server did not accept the app',
  retry: 'Authorization server checked again',
  appeal: 'Appealed',
  change: 'Details changed',
  request_change: 'Change requested',
  suspend: 'Stopped',
  reinstate: 'Resumed',
  retire: 'Retired',
  reopen: 'Reopened',
  clock_60: 'Reminder: 60% of the time is used',
  clock_80: 'Reminder: 80% of the time is used',
  clock_breach: 'Overdue',
}

function describeEvent(event: string): string {
  return Object.hasOwn(words, event) ? words[event as keyof typeof words] : event.replaceAll('_', ' ')
}
