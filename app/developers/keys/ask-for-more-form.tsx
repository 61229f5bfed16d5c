import { Link, useLocation } from '@remix-run/react'
import {
  appLimitsForm,
  keyLimitsForm,
  keyTermDaysMax,
  keyTermForm,
  publishedLimits,
  requestedLimitsMax,
} from '../../../server/contract/forms/requests.ts'
import {
  type RegistrationState,
  stateNames,
} from '../../../server/contract/workflows/registration-workflow.ts'
import { Card } from '../../components/ui/card.tsx'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { Field, TextArea } from '../../components/ui/field.tsx'
import { Moment } from '../../components/ui/moment.tsx'

interface AskedForProps {
  earlier: readonly { to: string; state: RegistrationState; receivedAt: Date | string | null }[]
}

/** What was asked for already, so that nobody asks twice. */
export function AskedFor({ earlier }: AskedForProps) {
  if (earlier.length === 0) return null
  return (
    <Card padded="tight" id="asked" title="Already requested">
      <ul className="stack tight">
        {earlier.map(({ to, state, receivedAt }) => (
          <li key={to}>
            <Link to={to}>{receivedAt ? <Moment at={receivedAt} as="date" /> : 'View request'}</Link>,{' '}
            {stateNames[state]}
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface AskProps {
  idempotencyKey: string
}

const reasonHint =
  'Explain what you need it for and why the published limits aren’t enough. Don’t include information about real people.'
const count = (value: number) => value.toLocaleString('en-US')

/** Requests a second and a minute, of a key or an app. */
export function AskForLimits({ idempotencyKey, about }: AskProps & { about: 'key' | 'app' }) {
  const schema = about === 'key' ? keyLimitsForm : appLimitsForm
  const { pathname } = useLocation()

  const labels = { burst: 'Requests per second', sustained: 'Requests per minute', reason: 'Reason' }
  const [now, most] = [publishedLimits[about], requestedLimitsMax[about]]
  return (
    <ContractForm
      schema={schema}
      labels={labels}
      keepAs={`more for ${pathname}`}
      hidden={{ idempotencyKey }}
      button="Request higher limits"
      busy="Sending"
    >
      <p>
        The published limits are {count(now.burst)} per second and {count(now.sustained)} per minute. The
        practice has {count(most.burst)} and {count(most.sustained)} for all its callers together, so you
        can’t request more.
      </p>
      <Field name="burst" inputMode="numeric" />
      <Field name="sustained" inputMode="numeric" />
      <TextArea name="reason" hint={reasonHint} rows={4} />
    </ContractForm>
  )
}

/** Days that a key shall live from the decision on. */
export function AskForTerm({ idempotencyKey, endsAt }: AskProps & { endsAt: Date | string }) {
  const { pathname } = useLocation()

  const labels = { days: 'Days', reason: 'Reason' }
  return (
    <ContractForm
      schema={keyTermForm}
      labels={labels}
      keepAs={`more for ${pathname}`}
      hidden={{ idempotencyKey }}
      button="Request longer term"
      busy="Sending"
    >
      <p>
        The key expires on <Moment at={endsAt} />. A longer term starts on the day of approval. It never
        shortens the current term.
      </p>
      <Field name="days" inputMode="numeric" hint={`At most ${keyTermDaysMax}.`} />
      <TextArea name="reason" hint={reasonHint} rows={4} />
    </ContractForm>
  )
}
