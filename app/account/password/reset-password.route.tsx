import { useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { newPasswordForm } from '../../../server/contract/forms/account.ts'
import { passwordLength } from '../../../server/contract/portal/password-rules.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import { LinkButton } from '../../components/ui/page-parts.tsx'
import { signInPaths } from '../../lib/sign-in-paths.ts'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { here, linkTokenOf, page, visitorOf } from '../../services.server.ts'
import { DeadLink, Gate } from '../../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Choose a new password · Sandpiper' }]

export const loader = page(async (args) => ({
  link: await args.context.services.accounts.findLink(linkTokenOf(args), 'reset_password'),
}))

export const action = page(async (args) => {
  return runForm(args.request, newPasswordForm, async (value) => {
    const change = { token: linkTokenOf(args), password: value.password }
    const answer = await args.context.services.accounts.resetPassword(change, visitorOf(args))
    // Reloading shows why the link no longer works.
    if (answer.kind !== 'changed') return redirect(here(args.request))
    return goOn(signInPaths[answer.realm], 'password_reset')
  })
})

export default function ResetPassword() {
  const { link } = useLoaderData<typeof loader>()

  if (link.kind !== 'live') {
    return (
      <DeadLink kind={link.kind}>
        <p>Your password is unchanged.</p>
        <LinkButton look="primary" to={paths.forgotPassword}>
          Request a new link
        </LinkButton>
      </DeadLink>
    )
  }
  return (
    <Gate title="Choose a new password" lead={`For ${link.maskedEmail}. This signs you out everywhere.`}>
      <ContractForm labels={{ password: 'New password' }} button="Change password" busy="Saving" wide>
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
