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
        <dl className="facts">
          <Fact label="Of" text={view.name} />
          {requestedFacts(view.requested).map(([label, text]) => (
            <Fact key={label} label={label} text={text} />
          ))}
        </dl>
      )}
      {(view.kind === 'app' || view.kind === 'change') && <FormFacts form={form} />}
      {view.replaces && <Changes before={view.replaces} after={form} title="What becomes different" />}
      {before && <Changes before={before} after={form} title="Changed since it was handed in before" />}
    </Card>
  )
}

function FormFacts({ form }: { form: RegistrationForm }) {
  return (
    <dl className="facts">
      {registrationFields
        .filter((field) => toText(form[field]) !== '')
        .map((field) => (
          <Fact key={field} label={fieldLabels[field]} text={toText(form[field])} />
        ))}
    </dl>
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
      <dl className="facts mt-3">
        {changes.map(({ field, label, before: was, after: is }) => (
          <Fact key={field} label={label} text={`${was || 'Nothing'} → ${is || 'Nothing'}`} />
        ))}
      </dl>
    </details>
  )
}

function Fact({ label, text }: { label: string; text: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="breaks">{text}</dd>
    </>
  )
}

/** Who asks: the organization, its domains, its earlier requests. */
export function OrganizationEvidence({ view }: { view: ReviewView }) {
  const { organization } = view
  return (
    <Card padded id="who" title="Who asks">
      <dl className="facts">
        <Fact label="Organization" text={organization.name} />
        <dt>Since</dt>
        <dd>
          <Moment at={organization.createdAt} as="date" />
        </dd>
        <Fact label="Members" text={String(organization.members)} />
        <Fact label="Confirmed domains" text={organization.verifiedDomains.join(', ') || 'None'} />
        <Fact label="Website" text={(view.submitted ?? view.form).website || 'None'} />
      </dl>
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
