import { Link } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { signUpForm } from '../../../server/contract/forms/account.ts'
import { passwordLength } from '../../../server/contract/portal/password-rules.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import { readForm, refuse, refuseForNow } from '../../lib/submission.server.ts'
import { findSession, page, visitorOf } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Sign up · Sandpiper' }]

export const loader = page(async (args) => {
  if (await findSession(args, 'developer')) throw redirect(paths.developers)
  return null
})

export const action = page(async (args) => {
  const submission = await readForm(args.request, signUpForm)
  if (submission.status !== 'success') return refuse(submission)
  const answer = await args.context.services.accounts.signUp(submission.value, visitorOf(args))
  if (answer.kind !== 'mail_sent') return refuseForNow(submission, answer)
  return redirect('/check-your-mail', { headers: { 'set-cookie': answer.cookie } })
})

export default function SignUp() {
  return (
    <Gate
      title="Sign up"
      lead="Next, create or join an organization."
      after={
        <p>
          Already have an account? <Link to={paths.signIn}>Sign in</Link>
        </p>
      }
    >
      <ContractForm
        labels={{ name: 'Your name', email: 'Work email', password: 'Password' }}
        button="Sign up"
        busy="Signing up"
        wide
      >
        <Field name="name" autoComplete="name" />
        <Field
          name="email"
          type="email"
          autoComplete="username"
          hint="We email a link to this address. You also sign in with it."
        />
        <Field
          name="password"
          type="password"
          autoComplete="new-password"
          hint={`Use at least ${passwordLength.min} characters. A few random words work well.`}
        />
      </ContractForm>
    </Gate>
  )
}
