import type { MetaFunction } from '@remix-run/react'
import { Link } from '@remix-run/react'
import { type ActionFunctionArgs, redirect } from '@remix-run/server-runtime'
import { emailForm } from '../../../server/contract/forms/account.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { Field } from '../../components/ui/field.tsx'
import { readForm, refuse, refuseForNow } from '../../lib/submission.server.ts'
import { page, visitorOf } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'

export const meta: MetaFunction = () => [{ title: 'Forgot your password · Sandpiper' }]

export const action = page(async (args: ActionFunctionArgs) => {
  const submission = await readForm(args.request, emailForm)
  if (submission.status !== 'success') return refuse(submission)
  const wanted = { realm: 'developer' as const, ...submission.value }
  const answer = await args.context.services.accounts.requestPasswordReset(wanted, visitorOf(args))
  if (answer.kind !== 'mail_sent') return refuseForNow(submission, answer)
  return redirect('/check-your-mail')
})

export default function ForgotPassword() {
  return (
    <Gate
      title="Forgot your password?"
      lead="We email you a link to choose a new one."
      after={
        <p>
          <Link to={paths.signIn}>Back to sign in</Link>
        </p>
      }
    >
      <ContractForm
        schema={emailForm}
        labels={{ email: 'Work email' }}
        button="Send link"
        busy="Sending"
        wide
      >
        <Field name="email" type="email" autoComplete="username" />
      </ContractForm>
    </Gate>
  )
}
