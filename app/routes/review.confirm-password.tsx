import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { stepUpForm } from '../../server/contract/forms-account.ts'
import { paths } from '../../server/contract/paths.ts'
import { stepUpMinutes } from '../../server/contract/realms.ts'
import { Gate } from '../components/frames/gate.tsx'
import { SubmitButton } from '../components/ui/button.tsx'
import { Field } from '../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../components/ui/form.tsx'
import { localPath } from '../local-path.ts'
import { getSession, page, visitorOf } from '../services.server.ts'
import { readForm, refuse, refuseForNow } from '../submission.server.ts'

export const meta: MetaFunction = () => [{ title: 'Confirm your password · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { account } = await getSession(args, 'staff')
  return { email: account.email }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const submission = await readForm(args.request, stepUpForm)
  if (submission.status !== 'success') return refuse(submission)
  const answer = await args.context.services.accounts.stepUp(
    { session, ...submission.value },
    visitorOf(args),
  )
  if (answer.kind === 'refused')
    return refuse(submission, { fields: { password: 'This is not your password.' }, status: 401 })
  if (answer.kind !== 'done') return refuseForNow(submission, answer)
  const next = localPath(new URL(args.request.url).searchParams.get('next'), paths.reviewQueue)
  return redirect(next, { headers: { 'set-cookie': answer.cookie } })
})

export default function ConfirmStaffPassword() {
  const { email } = useLoaderData<typeof loader>()
  const lastResult = useActionData<typeof action>()?.lastResult
  const [form, fields] = useContractForm({ schema: stepUpForm, lastResult })
  return (
    <Gate
      title="Confirm your password"
      lead={`A decision needs a password typed in the last ${stepUpMinutes} minutes.`}
      after={
        <p>
          <Link to={paths.reviewQueue}>Not now</Link>
        </p>
      }
    >
      <Form method="post" {...formProps(form)} className="card pad stack">
        <ErrorSummary form={form} fields={fields} labels={{ password: 'Password' }} />
        <p className="muted">
          You are signed in as <b className="text-ink">{email}</b>.
        </p>
        <Field meta={fields.password} label="Password" type="password" autoComplete="current-password" />
        <SubmitButton busy="Checking">Confirm</SubmitButton>
      </Form>
    </Gate>
  )
}
