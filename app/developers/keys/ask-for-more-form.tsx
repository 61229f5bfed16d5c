import type { SubmissionResult } from '@conform-to/react'
import { Form, Link, useLocation } from '@remix-run/react'
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
import { SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Field, TextArea } from '../../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../../components/ui/form.tsx'
import { KeepInput } from '../../components/ui/keep-input.tsx'
import { Moment } from '../../components/ui/moment.tsx'

interface AskedForProps {
  earlier: readonly { to: string; state: RegistrationState; receivedAt: Date | string | null }[]
}

/** What was asked for already, so that nobody asks twice. */
export function AskedFor({ earlier }: AskedForProps) {
  if (earlier.length === 0) return null
  return (
    <Card padded="tight" id="asked" title="Asked for already">
      <ul className="stack tight">
        {earlier.map(({ to, state, receivedAt }) => (
          <li key={to}>
            <Link to={to}>{receivedAt ? <Moment at={receivedAt} as="date" /> : 'The request'}</Link>,{' '}
            {stateNames[state]}
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface AskProps {
  lastResult: SubmissionResult<string[]> | null | undefined
  idempotencyKey: string
}

const reasonHint = 'What it is for, and why what is published does not do. Nothing about real people.'
const count = (value: number) => value.toLocaleString('en-US')

/** Requests a second and a minute, of a key or an app. */
export function AskForLimits({ lastResult, idempotencyKey, about }: AskProps & { about: 'key' | 'app' }) {
  const schema = about === 'key' ? keyLimitsForm : appLimitsForm
  const { pathname } = useLocation()
  const [form, fields] = useContractForm({ schema, lastResult })
  const labels = { burst: 'Requests a second', sustained: 'Requests a minute', reason: 'Reason' }
  const [now, most] = [publishedLimits[about], requestedLimitsMax[about]]
  return (
    <Form method="post" {...formProps(form)} className="card pad stack gap-6">
      <KeepInput name={`more for ${pathname}`} refused={lastResult?.status === 'error'} />
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <ErrorSummary form={form} fields={fields} labels={labels} />
      <p>
        Everybody has {count(now.burst)} a second and {count(now.sustained)} a minute. More than{' '}
        {count(most.burst)} and {count(most.sustained)} is what the practice has over all its callers.
      </p>
      <Field meta={fields.burst as never} label={labels.burst} inputMode="numeric" />
      <Field meta={fields.sustained as never} label={labels.sustained} inputMode="numeric" />
      <TextArea meta={fields.reason} label={labels.reason} hint={reasonHint} rows={4} />
      <div>
        <SubmitButton busy="Sending">Ask for it</SubmitButton>
      </div>
    </Form>
  )
}

/** Days that a key shall live from the decision on. */
export function AskForTerm({ lastResult, idempotencyKey, endsAt }: AskProps & { endsAt: Date | string }) {
  const { pathname } = useLocation()
  const [form, fields] = useContractForm({ schema: keyTermForm, lastResult })
  const labels = { days: 'Days', reason: 'Reason' }
  return (
    <Form method="post" {...formProps(form)} className="card pad stack gap-6">
      <KeepInput name={`more for ${pathname}`} refused={lastResult?.status === 'error'} />
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <ErrorSummary form={form} fields={fields} labels={labels} />
      <p>
        The key ends on <Moment at={endsAt} />. A longer term is counted from the day it is granted; no term
        gets shorter by it.
      </p>
      <Field
        meta={fields.days as never}
        label={labels.days}
        inputMode="numeric"
        hint={`At most ${keyTermDaysMax}.`}
      />
      <TextArea meta={fields.reason} label={labels.reason} hint={reasonHint} rows={4} />
      <div>
        <SubmitButton busy="Sending">Ask for it</SubmitButton>
      </div>
    </Form>
  )
}
