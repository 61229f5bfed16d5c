import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  fieldLabels,
  type RegistrationForm,
  registrationFields,
  toText,
} from '../../../server/contract/workflows/registration-form.ts'
import { stateNames } from '../../../server/contract/workflows/registration-workflow.ts'
import type { ReviewView } from '../../../server/domain/registrations/registration-types.ts'
import { Card } from '../../components/ui/card.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { CircleDot } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { Timeline } from '../../components/ui/timeline.tsx'
import { requestedFacts } from '../../shared/registrations/requested-facts.ts'
import { describeEvent } from './registration-events.ts'

/** What the developer asks for, field by field. */
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

/** Text that others typed breaks anywhere. */
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

/** Everything that happened, newest first. */
export function ReviewHistory({ view }: { view: ReviewView }) {
  return (
    <Card padded id="history" title="History">
      <Timeline
        entries={[...view.timeline].reverse().map(({ at, event, by, codes, text }, place) => ({
          key: `${place}`,
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
