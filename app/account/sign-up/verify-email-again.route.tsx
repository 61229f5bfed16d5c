import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useActionData } from '@remix-run/react'
import { type ActionFunctionArgs, redirect } from '@remix-run/server-runtime'
import { emailForm } from '../../../server/contract/forms/account.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../../components/ui/form.tsx'
import { readForm, refuse, refuseForNow } from '../../lib/submission.server.ts'
import { page, visitorOf } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'

export const meta: MetaFunction = () => [{ title: 'Send the link again · Sandpiper' }]

export const action = page(async (args: ActionFunctionArgs) => {
  const submission = await readForm(args.request, emailForm)
  if (submission.status !== 'success') return refuse(submission)
  const answer = await args.context.services.accounts.resendVerification(submission.value, visitorOf(args))
  if (answer.kind !== 'mail_sent') return refuseForNow(submission, answer)
  return redirect('/check-your-mail')
})

export default function VerifyEmailAgain() {
  const [form, fields] = useContractForm({
    schema: emailForm,
    lastResult: useActionData<typeof action>()?.lastResult,
  })
  return (
    <Gate
      title="Send the link again"
      lead="For an account whose address is not confirmed yet. The link before it stops working."
      after={
        <p>
          Confirmed already? <Link to={paths.signIn}>Sign in</Link>
        </p>
      }
    >
      <Form method="post" {...formProps(form)} className="card pad stack">
        <ErrorSummary form={form} fields={fields} labels={{ email: 'Work email' }} />
        <Field meta={fields.email} label="Work email" type="email" autoComplete="username" />
        <SubmitButton busy="Sending">Send the link</SubmitButton>
      </Form>
    </Gate>
  )
}
