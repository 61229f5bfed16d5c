import { Form, type MetaFunction, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { limits } from '../../../server/contract/http/limits.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { LinkButton, SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { doneCookie } from '../../lib/flash.ts'
import { confirmPasswordPath } from '../../lib/step-up.server.ts'
import { readFields } from '../../lib/submission.server.ts'
import { actorOf, findSession, getSession, here, linkTokenOf, page } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'
import { ClaimRefused } from './claim-refused.tsx'
import { RevealDialog } from './reveal-dialog.tsx'

export const meta: MetaFunction = () => [{ title: 'Claim your key · Sandpiper' }]

/** The link of the mail carries a token, the list of keys a request's id. */
function handleOf(args: LoaderFunctionArgs): { token: string } | { requestId: string } {
  const requestId = new URL(args.request.url).searchParams.get('request')
  return requestId === null ? { token: linkTokenOf(args) } : { requestId }
}

/** Opening the link changes nothing: mail programs open links on their own. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const { keys, sessions } = args.context.services
  const session = await findSession(args, 'developer')
  const claim = await keys.findClaim({ ...handleOf(args), accountId: session?.accountId })
  const back = new URLSearchParams({ next: here(args.request) })
  return {
    claim,
    signIn: `${paths.signIn}?${back}`,
    confirmPassword:
      session && !sessions.isStepUpFresh(session)
        ? confirmPasswordPath(paths.confirmPassword, args.request)
        : null,
  }
})

/** Reveals the key once, or sends a new link for one whose link ended. */
export const action = page(async (args: ActionFunctionArgs) => {
  const session = await getSession(args, 'developer')
  const { keys } = args.context.services
  const actor = actorOf(args, session)
  const fields = await readFields(args.request)
  if (fields.get('intent') === 'reissue') {
    const answer = await keys.reissueClaim({ requestId: String(fields.get('request') ?? '') }, actor)
    const headers: HeadersInit = answer.kind === 'sent' ? { 'set-cookie': doneCookie('claim_sent') } : {}
    return redirect(answer.kind === 'sent' ? paths.keys : here(args.request), { headers })
  }
  const answer = await keys.reveal(handleOf(args), actor)
  if (answer.kind === 'step_up_needed') {
    return redirect(confirmPasswordPath(paths.confirmPassword, args.request))
  }
  if (answer.kind !== 'revealed') return redirect(here(args.request))
  return data({ revealed: answer }, { headers: { 'cache-control': 'no-store' } })
})

/** The answer that holds a key is kept nowhere. */
export const headers = () => ({ 'cache-control': 'no-store' })

export default function Claim() {
  const { claim, signIn, confirmPassword } = useLoaderData<typeof loader>()
  const revealed = useActionData<typeof action>()?.revealed
  if (revealed) {
    return (
      <Gate title="Your key" lead="Save it now. Leaving this page loses it." wide>
        <RevealDialog revealed={revealed} leaveTo={paths.keys} />
      </Gate>
    )
  }
  if (claim.kind !== 'live') return <ClaimRefused claim={claim} signIn={signIn} />
  return (
    <Gate title="Claim your key" lead="The next page shows it once. Have a safe place ready to store it.">
      <Card>
        <Facts
          className="pad facts"
          of={{
            Key: claim.name,
            Reaches: claim.practiceName,
            May: claim.level === 'read_only' ? 'Read-only' : 'Read and write (full)',
            Lives: `${limits.keyDays} days from now`,
            'Claim by': <Moment at={claim.claimExpiresAt} />,
          }}
        />
        <div className="pad stack border-t">
          <p className="muted">
            Keep it on a server you control. Never put it in a browser bundle, a mobile or desktop app, or
            anything users can open.
          </p>
          {confirmPassword ? (
            <div className="stack tight">
              <LinkButton look="primary" to={confirmPassword}>
                Confirm your password
              </LinkButton>
              <p className="small muted">You signed in a while ago. You return here afterwards.</p>
            </div>
          ) : (
            <Form method="post">
              <SubmitButton className="w-full" busy="Creating the key">
                Show the key
              </SubmitButton>
            </Form>
          )}
        </div>
      </Card>
    </Gate>
  )
}
