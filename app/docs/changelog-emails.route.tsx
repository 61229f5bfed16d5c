import type { MetaFunction } from '@remix-run/react'
import { Link, useActionData } from '@remix-run/react'
import { type ActionFunctionArgs, data } from '@remix-run/server-runtime'
import { changelogForm, subscriptionConfirmHours } from '../../server/contract/status/subscriptions.ts'
import { ContractForm } from '../components/ui/contract-form.tsx'
import { Field } from '../components/ui/field.tsx'
import { readForm, refuse, refuseForNow } from '../lib/submission.server.ts'
import { page, visitorOf } from '../services.server.ts'
import { Gate } from '../shared/frames/gate.tsx'

export const meta: MetaFunction = () => [{ title: 'Changelog emails · Sandpiper' }]

export const action = page(async (args: ActionFunctionArgs) => {
  const submission = await readForm(args.request, changelogForm)
  if (submission.status !== 'success') return refuse(submission)
  const wanted = { email: submission.value.email, topic: 'changelog' as const }
  const answer = await args.context.services.status.subscribe(wanted, visitorOf(args))
  if (answer.kind !== 'mail_sent') return refuseForNow(submission, answer)
  return data({ lastResult: null, sent: true as const })
})

export default function ChangelogEmails() {
  const answer = useActionData<typeof action>()
  const after = (
    <p>
      <Link to="/docs/changelog">Back to the changelog</Link>
    </p>
  )
  if (answer && 'sent' in answer)
    return (
      <Gate
        title="Check your email"
        lead={`We sent a link to that address. It expires in ${subscriptionConfirmHours} hours. We send no changelog emails until you use it.`}
        after={after}
      />
    )
  return (
    <Gate
      title="Get changelog emails"
      lead="We email you the day after our APIs change. First, confirm your address with a link."
      after={after}
    >
      <ContractForm
        schema={changelogForm}
        labels={{ email: 'Email address' }}
        button="Send link"
        wide
        reloadDocument
      >
        <Field
          name="email"
          type="email"
          autoComplete="email"
          hint="We use it only for this, and delete it when you unsubscribe."
        />
      </ContractForm>
    </Gate>
  )
}
