import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { factorResetForm } from '../../server/contract/forms-second-factor.ts'
import { paths } from '../../server/contract/paths.ts'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { SubmitButton } from '../components/ui/button.tsx'
import { TextArea } from '../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../components/ui/form.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { doneCookie } from '../flash.ts'
import { actorOf, getSession, page } from '../services.server.ts'
import { readForm, refuse, refuseByProblem } from '../submission.server.ts'

export const meta: MetaFunction = () => [{ title: 'Reset a second step · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const staff = await args.context.services.staffFactors.listStaff(actorOf(args, session))
  const person = staff.find(({ accountId }) => accountId === args.params.account)
  if (!person) throw data(null, { status: 404 })
  return {
    account: { name: session.account.name, email: session.account.email },
    person: { name: person.name, email: person.email },
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const submission = await readForm(args.request, factorResetForm)
  if (submission.status !== 'success') return refuse(submission)
  const input = { accountId: args.params.account ?? '', ...submission.value }
  try {
    await args.context.services.staffFactors.reset(input, actorOf(args, session))
  } catch (thrown) {
    return refuseByProblem(submission, thrown)
  }
  return redirect(paths.staffSecondSteps, { headers: { 'set-cookie': doneCookie('second_step_reset') } })
})

export default function ResetSecondStep() {
  const { account, person } = useLoaderData<typeof loader>()
  const lastResult = useActionData<typeof action>()?.lastResult
  const [form, fields] = useContractForm({ schema: factorResetForm, lastResult })
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHead title={`Reset the second step of ${person.name}`}>
        <span className="breaks">{person.email}</span>{' '}
        <Link to={paths.staffSecondSteps}>Back to the list</Link>
      </PageHead>
      <Form method="post" {...formProps(form)} className="card pad stack gap-6">
        <p>
          The app and all recovery codes are worth nothing from then on, every session ends, and a mail says
          who did it and why. Until the next sign-in the password alone sets up a new app: talk to the person
          first.
        </p>
        <ErrorSummary form={form} fields={fields} labels={{ reason: 'Reason' }} />
        <TextArea
          meta={fields.reason}
          label="Reason"
          hint="How you made sure who asks. Kept in the audit log; the person reads it."
          rows={3}
        />
        <div>
          <SubmitButton look="danger" busy="Resetting">
            Reset the second step
          </SubmitButton>
        </div>
      </Form>
    </ConsoleFrame>
  )
}
