import { useActionData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  subscribedComponents,
  subscribeForm,
  subscriptionConfirmHours,
} from '../../../server/contract/status/subscriptions.ts'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import { readForm, refuse, refuseForNow } from '../../lib/submission.server.ts'
import { page, visitorOf } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'
import { ComponentChecks } from './component-checks.tsx'

export const meta = () => [{ title: 'Status emails · Sandpiper' }]
export const handle = { still: true }

export const action = page(async (args) => {
  const submission = await readForm(args.request, subscribeForm)
  if (submission.status !== 'success') return refuse(submission)
  const wanted = { email: submission.value.email, components: subscribedComponents(submission.value) }
  const answer = await args.context.services.status.subscribe(wanted, visitorOf(args))
  if (answer.kind !== 'mail_sent') return refuseForNow(submission, answer)
  return data({ lastResult: null, sent: true as const })
})

export default function Subscribe() {
  const answer = useActionData<typeof action>()
  if (answer && 'sent' in answer)
    return (
      <Gate
        title="Check your email"
        lead={`We sent a link to that address. It expires in ${subscriptionConfirmHours} hours. We send no status emails until you use it.`}
        after={
          <p>
            <a href={paths.status}>Back to status</a>
          </p>
        }
      />
    )
  return (
    <Gate
      wide
      title="Get status emails"
      lead="We email you when a component’s state changes, and about incidents and maintenance. First, confirm your address with a link."
      after={
        <p>
          <a href={paths.status}>Back to status</a>, or subscribe to a feed: <a href={paths.statusRss}>RSS</a>
          , <a href={paths.statusJson}>JSON</a>.
        </p>
      }
    >
      <ContractForm labels={{ email: 'Email address' }} button="Send link" wide reloadDocument>
        <Field
          name="email"
          type="email"
          autoComplete="email"
          hint="We use it only for this, and delete it when you unsubscribe."
        />
        <ComponentChecks chosen={[]} />
      </ContractForm>
    </Gate>
  )
}
