import { Form, Link, useLoaderData, useSubmit } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { useEffect, useRef } from 'react'
import { verifyEmailForm } from '../../../server/contract/forms/account.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import { LinkButton, SubmitButton } from '../../components/ui/page-parts.tsx'
import { doneCookie } from '../../lib/flash.ts'
import { readFields, readSubmission, refuse, refuseForNow } from '../../lib/submission.server.ts'
import { here, linkTokenOf, type PageArgs, page, visitorOf } from '../../services.server.ts'
import { DeadLink, Gate } from '../../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Confirm your address · Sandpiper' }]

const cookiesOf = ({ request }: Pick<PageArgs, 'request'>) => request.headers.get('cookie')

/** The loader changes nothing, because mail programs open links on their own. */
export const loader = page(async (args) => ({
  link: await args.context.services.accounts.findLink(linkTokenOf(args), 'verify_email', cookiesOf(args)),
}))

export const action = page(async (args) => {
  const fields = await readFields(args.request)
  const token = linkTokenOf(args)
  const submission = readSubmission(fields, verifyEmailForm)
  const withoutPassword = !fields.has('password')
  if (!withoutPassword && submission.status !== 'success') return refuse(submission)
  const proof = submission.status === 'success' ? submission.value : { cookies: cookiesOf(args) }
  const answer = await args.context.services.accounts.verifyEmail({ token, ...proof }, visitorOf(args))
  switch (answer.kind) {
    case 'verified': {
      const headers = new Headers(
        [...answer.cookies, doneCookie('email_verified')].map((cookie) => ['set-cookie', cookie]),
      )
      return redirect(paths.developers, { headers })
    }
    case 'refused':
      if (withoutPassword) return redirect(here(args.request))
      return refuse(submission, {
        fields: {
          password: 'This is not the password you chose at sign-up. Try again, or choose a new one below.',
        },
        status: 401,
      })
    case 'throttled':
      return refuseForNow(submission, answer)
    default:
      return redirect(here(args.request))
  }
})

export default function VerifyEmail() {
  const { link } = useLoaderData<typeof loader>()

  if (link.kind !== 'live') {
    return (
      <DeadLink kind={link.kind}>
        {link.kind === 'used' || link.kind === 'confirmed' ? (
          <>
            <p>Your address is confirmed. Sign in with your password.</p>
            <LinkButton look="primary" to={paths.signIn}>
              Sign in
            </LinkButton>
          </>
        ) : (
          <>
            <p>Request a new link. We delete accounts that aren’t confirmed within seven days.</p>
            <LinkButton look="primary" to="/verify-email/again">
              Send new link
            </LinkButton>
          </>
        )}
      </DeadLink>
    )
  }
  if (link.sameBrowser) return <ConfirmHere />
  return (
    <Gate
      title="Confirm your address"
      lead={`Someone signed up with ${link.maskedEmail}. If this was you, enter the password you chose.`}
      after={
        <p>
          Wrong or forgotten password? <Link to={paths.forgotPassword}>Choose a new password</Link>. The email
          for it also confirms your address.
        </p>
      }
    >
      <ContractForm labels={{ password: 'Password' }} button="Confirm and sign in" busy="Confirming" wide>
        <Field
          name="password"
          type="password"
          autoComplete="current-password"
          hint="The one you chose when you signed up."
        />
        <p className="small muted">
          If this wasn’t you, close this page. We delete the account after seven days.
        </p>
      </ContractForm>
    </Gate>
  )
}

/** In the browser of the sign-up: the page sends its form, and without JavaScript the button does. */
function ConfirmHere() {
  const submit = useSubmit()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => submit(form.current), [submit])
  return (
    <Gate title="Confirming your address" lead="You signed up in this browser, so no password is needed.">
      <Form method="post" ref={form}>
        <SubmitButton className="w-full" busy="Confirming">
          Confirm and continue
        </SubmitButton>
      </Form>
    </Gate>
  )
}
