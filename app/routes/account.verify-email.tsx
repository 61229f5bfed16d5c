import type { MetaFunction } from '@remix-run/react'
import { Form, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/paths.ts'
import { DeadLink } from '../components/frames/dead-link.tsx'
import { Gate } from '../components/frames/gate.tsx'
import { LinkButton, SubmitButton } from '../components/ui/button.tsx'
import { doneCookie } from '../flash.ts'
import { page, visitorOf } from '../services.server.ts'
import { readFields } from '../submission.server.ts'

export const meta: MetaFunction = () => [{ title: 'Confirm your address · Sandpiper' }]

/** Opening the link changes nothing: mail programs open links on their own. */
export const loader = page(async ({ request, context }: LoaderFunctionArgs) => {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  return { token, link: await context.services.accounts.findLink(token, 'verify_email') }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const token = String((await readFields(args.request)).get('token') ?? '')
  const answer = await args.context.services.accounts.verifyEmail(token, visitorOf(args))
  if (answer.kind !== 'verified') return redirect(paths.verifyEmail(token))
  return redirect(paths.signIn, { headers: { 'set-cookie': doneCookie('email_verified') } })
})

export default function VerifyEmail() {
  const { token, link } = useLoaderData<typeof loader>()
  if (link.kind !== 'live') {
    return (
      <DeadLink kind={link.kind}>
        {link.kind === 'used' ? (
          <>
            <p>Your address is confirmed.</p>
            <LinkButton look="primary" to={paths.signIn}>
              Sign in
            </LinkButton>
          </>
        ) : (
          <>
            <p>Have a new one sent. An address that is not confirmed within seven days is forgotten.</p>
            <LinkButton look="primary" to="/verify-email/again">
              Send a new link
            </LinkButton>
          </>
        )}
      </DeadLink>
    )
  }
  return (
    <Gate title="Confirm your address" lead="One press, and you can sign in.">
      <Form method="post" className="card pad stack">
        <p>
          You signed up with <b>{link.maskedEmail}</b>. If it was not you, close this page: without the press
          the account is forgotten after seven days.
        </p>
        <input type="hidden" name="token" value={token} />
        <SubmitButton busy="Confirming">Confirm my address</SubmitButton>
      </Form>
    </Gate>
  )
}
