import { Link } from '@remix-run/react'
import { Check, Circle } from 'lucide-react'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  diffRegistrations,
  fieldLabels,
  type RegistrationForm,
  registrationFields,
  toText,
} from '../../../server/contract/workflows/registration-form.ts'
import { stateNames } from '../../../server/contract/workflows/registration-workflow.ts'
import type { ReviewView } from '../../../server/domain/registrations/registration-types.ts'
import { Card } from '../../components/ui/card.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { requestedFacts } from '../../shared/registrations/requested-facts.ts'

/** What is asked for, field by field; what changed since the version before stands out in words. */
export function SubmittedForm({ view }: { view: ReviewView }) {
  const form = view.submitted ?? view.form
  const before = view.versions.at(-2)?.form ?? null
  return (
    <Card padded id="asked" title="What is asked for">
      {view.reason && <p className="breaks">{view.reason}</p>}
      {view.requested && (
        <Facts
          className={facts}
          of={{ Of: view.name, ...Object.fromEntries(requestedFacts(view.requested)) }}
        />
      )}
      {(view.kind === 'app' || view.kind === 'change') && <FormFacts form={form} />}
      {view.replaces && <Changes before={view.replaces} after={form} title="What becomes different" />}
      {before && <Changes before={before} after={form} title="Changed since it was handed in before" />}
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

interface ChangesProps {
  before: RegistrationForm
  after: RegistrationForm
  title: string
}

function Changes({ before, after, title }: ChangesProps) {
  const changes = diffRegistrations(before, after)
  if (changes.length === 0) return <p className="muted">The form is as it was handed in before.</p>
  return (
    <details open>
      <summary>{title}</summary>
      <Facts
        className={`${facts} mt-3`}
        of={Object.fromEntries(
          changes.map((each) => [each.label, `${each.before || 'Nothing'} → ${each.after || 'Nothing'}`]),
        )}
      />
    </details>
  )
}

/** Text that others typed breaks anywhere. */
const facts = 'facts breaks'

/** Who asks: the organization, its domains, its earlier requests. */
export function OrganizationEvidence({ view }: { view: ReviewView }) {
  const { organization } = view
  return (
    <Card padded id="who" title="Who asks">
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
              <Link to={paths.reviewRegistration(id)}>{name || 'Without a name'}</Link>, {stateNames[state]}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** What was asked so far, and the answers. */
export function AskedItems({ view }: { view: ReviewView }) {
  if (view.items.length === 0) return null
  return (
    <Card padded id="items" title="Asked so far">
      <ul className="list">
        {view.items.map((item) => (
          <li key={item.id} className="finding">
            {item.answer ? <Check className="i" /> : <Circle className="i" />}
            <div>
              <p>
                <b>
                  {item.round}. {item.sentence}
                </b>{' '}
                {item.text}
              </p>
              <p className="muted breaks">{item.answer ?? 'Not answered yet.'}</p>
              {item.visibleEarlier && <p className="small muted">It could have been asked earlier.</p>}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Everything that happened, newest first. */
export function ReviewHistory({ view }: { view: ReviewView }) {
  return (
    <Card padded id="history" title="History">
      <ol className="stack tight">
        {[...view.timeline].reverse().map(({ at, event, by, codes, text }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: nothing else tells two entries apart, and none moves
          <li key={place}>
            <b>{event.replaceAll('_', ' ')}</b>
            {codes.length > 0 && `: ${codes.join(', ')}`} by {by}, <Moment at={at} />
            {text && <p className="muted breaks">{text}</p>}
          </li>
        ))}
      </ol>
    </Card>
  )
}
