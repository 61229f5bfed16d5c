import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/paths.ts'
import { Gate } from '../components/frames/gate.tsx'
import { RecoveryCodes } from '../components/frames/recovery-codes.tsx'
import { SubmitButton } from '../components/ui/button.tsx'
import { counted } from '../dates.ts'
import { getSession, page, visitorOf } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Recovery codes · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const { recoveryCodesLeft } = await args.context.services.secondFactors.find(session.accountId)
  return { given: session.secondFactor === 'given', recoveryCodesLeft }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const recoveryCodes = await args.context.services.secondFactors.renewRecoveryCodes(session, visitorOf(args))
  return data({ recoveryCodes }, { headers: { 'cache-control': 'no-store' } })
})

export default function RenewRecoveryCodes() {
  const { given, recoveryCodesLeft } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  if (answer)
    return (
      <RecoveryCodes
        codes={answer.recoveryCodes}
        next={paths.staff}
        lead="The old codes are worth nothing now."
      />
    )
  return (
    <Gate
      title="Recovery codes"
      lead={
        given
          ? `You have ${counted(recoveryCodesLeft, 'code')} left. New ones take the place of all of them.`
          : 'A demonstration sign-in has no second step, and so no recovery codes.'
      }
      after={<Link to={paths.staff}>Back to the console</Link>}
    >
      {given && (
        <Form method="post" reloadDocument className="card pad stack">
          <p>You see them once. Have paper, or another safe, at hand.</p>
          <SubmitButton>Make new recovery codes</SubmitButton>
        </Form>
      )}
    </Gate>
  )
}
