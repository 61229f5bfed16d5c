import { Link, type MetaFunction, useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { emailForm } from '../../../server/contract/forms/account.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import { readForm, refuse, refuseForNow } from '../../lib/submission.server.ts'
import { type PageArgs, page, visitorOf } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'

/** Sends an email with a link that confirms an address or leads to a new password. Each has its own URL. */
const confirms = ({ request }: Pick<PageArgs, 'request'>) =>
  new URL(request.url).pathname.startsWith('/verify-email')

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.confirms ? 'Send the link again' : 'Forgot your password'} · Sandpiper` },
]

export const loader = page((args) => ({ confirms: confirms(args) }))

export const action = page(async (args) => {
  const submission = await readForm(args.request, emailForm)
  if (submission.status !== 'success') return refuse(submission)
  const { accounts } = args.context.services
  const answer = confirms(args)
    ? await accounts.resendVerification(submission.value, visitorOf(args))
    : await accounts.requestPasswordReset({ realm: 'developer', ...submission.value }, visitorOf(args))
  if (answer.kind !== 'mail_sent') return refuseForNow(submission, answer)
  return redirect('/check-your-mail')
})

export default function SendLink() {
  const { confirms } = useLoaderData<typeof loader>()
  return (
    <Gate
      title={confirms ? 'Send the link again' : 'Forgot your password?'}
      lead={
        confirms
          ? 'For accounts with an unconfirmed address. The previous link stops working.'
          : 'We email you a link to choose a new one.'
      }
      after={
        <p>
          <Link to={paths.signIn}>Back to sign in</Link>
        </p>
      }
    >
      <ContractForm labels={{ email: 'Work email' }} button="Send link" busy="Sending" wide>
        <Field name="email" type="email" autoComplete="username" />
      </ContractForm>
    </Gate>
  )
}
