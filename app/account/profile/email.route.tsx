import { Form, useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { changeEmailForm } from '../../../server/contract/forms/account.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import {
  Banner,
  Card,
  LinkButton,
  Moment,
  PageHeader,
  SubmitButton,
} from '../../components/ui/page-parts.tsx'
import { doneCookie } from '../../lib/flash.ts'
import { goOn, readFields, refuse, refuseForNow, runForm } from '../../lib/submission.server.ts'
import { getSession, page, visitorOf } from '../../services.server.ts'

export const meta = () => [{ title: 'Change your email address · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'developer')
  const { account, accountId, authenticatedAt } = session
  const { accounts } = args.context.services
  accounts.checkEmailChange(session)
  const waiting = await accounts.findEmailChange(accountId)
  return { email: account.email, authenticatedAt, waiting }
})

export const action = page(async (args) => {
  const session = await getSession(args, 'developer')
  const { accounts } = args.context.services
  const intent = (await readFields(args.request.clone())).get('intent')
  if (intent === 'cancel') {
    await accounts.cancelEmailChange(session, visitorOf(args))
    return goOn(paths.changeEmail, 'email_change_cancelled')
  }
  return runForm(args.request, changeEmailForm, async (value, submission) => {
    const answer = await accounts.requestEmailChange({ session, ...value }, visitorOf(args))
    if (answer.kind === 'refused') {
      return refuse(submission, { fields: { currentPassword: 'This password is not correct.' }, status: 401 })
    }
    if (answer.kind !== 'mail_sent') return refuseForNow(submission, answer)
    const headers = new Headers({ 'set-cookie': doneCookie('email_change_sent') })
    headers.append('set-cookie', answer.cookie)
    return redirect(paths.changeEmail, { headers })
  })
})

export default function ChangeEmail() {
  const { email, authenticatedAt, waiting } = useLoaderData<typeof loader>()
  return (
    <div className="page narrow">
      <PageHeader
        title="Change your email address"
        action={<LinkButton to={paths.account}>Back to the account</LinkButton>}
      >
        You sign in with it and receive our emails there. Your current address is {email}.
      </PageHeader>
      {waiting && (
        <Banner
          tone="turn"
          title={`Open the link we emailed to ${waiting.email}.`}
          action={
            <Form method="post">
              <SubmitButton look="outline" name="intent" value="cancel">
                Cancel the change
              </SubmitButton>
            </Form>
          }
        >
          It works until <Moment at={waiting.expiresAt} />. If you don’t use it, your address stays the same.
        </Banner>
      )}
      {/* A new form after the password was accepted, so its field is empty; in milliseconds, as a date in words has seconds. */}
      <ChangeCard key={Number(authenticatedAt)} />
    </div>
  )
}

function ChangeCard() {
  const labels = { email: 'New work email', currentPassword: 'Current password' }
  return (
    <Card id="new-address" title="New address">
      <ContractForm labels={labels} button="Send link" busy="Sending" look="outline" className="pad stack">
        <Field
          name="email"
          type="email"
          autoComplete="email"
          hint="We email a link there, and notify your current address."
        />
        <Field name="currentPassword" type="password" autoComplete="current-password" />
      </ContractForm>
    </Card>
  )
}
