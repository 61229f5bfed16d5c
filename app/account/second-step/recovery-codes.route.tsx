/** Replaces the recovery codes, in every realm. */
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { Card, LinkButton, SubmitButton } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { proofPaths, realmOf } from '../../lib/sign-in-paths.ts'
import { findStepUp, getSession, page, requireStepUp, visitorOf } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'
import { ConfirmButton } from '../../shared/sign-in/confirm-first.tsx'
import { RecoveryCodes } from './recovery-code-list.tsx'

export const meta = () => [{ title: 'Recovery codes · Sandpiper' }]

export const loader = page(async (args) => {
  const realm = realmOf(args.request)
  const session = await getSession(args, realm)
  const { enrolled, recoveryCodesLeft } = await args.context.services.mfaFactors.find(session.accountId)
  return {
    realm,
    state: session.mfaState,
    enrolled,
    recoveryCodesLeft,
    stepUp: enrolled ? findStepUp(args, session) : null,
  }
})

export const action = page(async (args) => {
  const session = await getSession(args, realmOf(args.request))
  requireStepUp(args, session)
  const recoveryCodes = await args.context.services.mfaFactors.renewRecoveryCodes(session, visitorOf(args))
  return data({ recoveryCodes }, { headers: { 'cache-control': 'no-store' } })
})

export default function RenewRecoveryCodes() {
  const { realm, state, enrolled, recoveryCodesLeft, stepUp } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const { first, mfa } = proofPaths[realm]
  if (answer)
    return <RecoveryCodes codes={answer.recoveryCodes} next={first} lead="Your old codes no longer work." />
  return (
    <Gate
      title="Recovery codes"
      lead={
        enrolled
          ? `You have ${counted(recoveryCodesLeft, 'code')} left. New codes replace all of them.`
          : state === 'not_asked'
            ? 'A demonstration sign-in doesn’t use two-step sign-in, so it has no recovery codes.'
            : 'Two-step sign-in isn’t set up, so there are no recovery codes.'
      }
      after={<Link to={first}>Back</Link>}
    >
      {enrolled && (
        <Card padded>
          <p>You see them only once. Have a safe place ready to store them.</p>
          {stepUp ? (
            <ConfirmButton to={stepUp} />
          ) : (
            <Form method="post" reloadDocument>
              <SubmitButton>Create new recovery codes</SubmitButton>
            </Form>
          )}
        </Card>
      )}
      {!enrolled && state === 'not_set_up' && (
        <LinkButton look="primary" to={mfa}>
          Set up two-step sign-in
        </LinkButton>
      )}
    </Gate>
  )
}
