import { useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { verifyEmailForm } from '../../../server/contract/forms/account.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import { LinkButton } from '../../components/ui/page-parts.tsx'
import { goOn, readForm, refuse, refuseForNow } from '../../lib/submission.server.ts'
import { here, linkTokenOf, page, visitorOf } from '../../services.server.ts'
import { DeadLink, Gate } from '../../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Confirm your new address · Sandpiper' }]

/** The loader changes nothing, because mail programs open links on their own. */
export const loader = page(async (args) => ({
  link: await args.context.services.accounts.findLink(linkTokenOf(args), 'change_email'),
}))

export const action = page(async (args) => {
  const submission = await readForm(args.request, verifyEmailForm)
  if (submission.status !== 'success') return refuse(submission)
  const confirmation = { token: linkTokenOf(args), ...submission.value }
  const answer = await args.context.services.accounts.confirmEmailChange(confirmation, visitorOf(args))
  switch (answer.kind) {
    case 'changed':
      return goOn(paths.account, 'email_changed')
    case 'refused':
      return refuse(submission, {
        fields: { password: 'This is not your account’s password.' },
        status: 401,
      })
    case 'taken':
      return refuse(submission, {
        form: 'Another account now has this address. Your account keeps its current address.',
        status: 409,
      })
    case 'throttled':
      return refuseForNow(submission, answer)
    default:
      return redirect(here(args.request))
  }
})

export default function ConfirmEmail() {
  const { link } = useLoaderData<typeof loader>()

  if (link.kind !== 'live') {
    return (
      <DeadLink kind={link.kind}>
        <p>You can see and change your address on the account page.</p>
        <LinkButton look="primary" to={paths.changeEmail}>
          Go to account
        </LinkButton>
      </DeadLink>
    )
  }
  return (
    <Gate
      title="Confirm your new address"
      lead={`Confirm ${link.maskedEmail} as your account’s new address. Enter your account’s password.`}
    >
      <ContractForm labels={{ password: 'Password' }} button="Confirm address" busy="Confirming" wide>
        <Field name="password" type="password" autoComplete="current-password" />
        <p className="small muted">If you didn’t request this, close this page. Nothing will change.</p>
      </ContractForm>
    </Gate>
  )
}
