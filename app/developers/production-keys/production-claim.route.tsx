import { Form, type MetaFunction, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { LinkButton, SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { counted } from '../../lib/dates.ts'
import { findStepUp } from '../../lib/step-up.server.ts'
import { readFields } from '../../lib/submission.server.ts'
import { actorOf, findSession, getSession, here, linkTokenOf, page } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'
import { levelWords } from '../../shared/production-keys/production-parts.tsx'
import { ClaimRefused } from '../keys/claim-refused.tsx'
import { RevealDialog } from '../keys/reveal-dialog.tsx'

export const meta: MetaFunction = () => [{ title: 'Claim your production key · Sandpiper' }]

/** The link of the mail carries a token, the page of the request its id. */
function handleOf(args: LoaderFunctionArgs): { token: string } | { requestId: string } {
  const requestId = new URL(args.request.url).searchParams.get('request')
  return requestId === null ? { token: linkTokenOf(args) } : { requestId }
}

/** Opening the link changes nothing: mail programs open links on their own. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await findSession(args, 'developer')
  const { productionKeys } = args.context.services
  const claim = await productionKeys.findClaim({ ...handleOf(args), accountId: session?.accountId })
  return {
    claim,
    signIn: `${paths.signIn}?${new URLSearchParams({ next: here(args.request) })}`,
    stepUp: session ? findStepUp(args, session) : null,
  }
})

/** Reveals the key once, or sends a new link for one whose link ended. */
export const action = page(async (args: ActionFunctionArgs) => {
  const session = await getSession(args, 'developer')
  const { productionKeys } = args.context.services
  const actor = actorOf(args, session)
  const fields = await readFields(args.request)
  try {
    if (fields.get('intent') === 'reissue') {
      const requestId = String(fields.get('request') ?? '')
      await productionKeys.reissue({ requestId }, actor)
      const { organization } = await productionKeys.get(requestId, actor)
      return redirect(paths.productionKey(organization.slug, requestId))
    }
    const answer = await productionKeys.reveal(handleOf(args), actor)
    if (answer.kind === 'step_up_needed') return redirect(findStepUp(args, session) ?? here(args.request))
    if (answer.kind !== 'revealed') return redirect(here(args.request))
    return data({ revealed: answer, wrong: null }, { headers: { 'cache-control': 'no-store' } })
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.status !== 409) throw thrown
    return data({ revealed: null, wrong: thrown.message }, { status: 409 })
  }
})

/** The answer that holds a key is kept nowhere. */
export const headers = () => ({ 'cache-control': 'no-store' })

export default function ClaimProductionKey() {
  const { claim, signIn, stepUp } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  if (answer?.revealed) {
    return (
      <Gate title="Your key" lead="Save it now. Leaving this page loses it." wide>
        <RevealDialog
          revealed={answer.revealed}
          leaveTo={paths.organizationKeys(answer.revealed.organizationSlug)}
        />
      </Gate>
    )
  }
  if (claim.kind !== 'live') return <ClaimRefused claim={claim} signIn={signIn} />
  return (
    <Gate
      title="Claim your production key"
      lead="The next page shows it once, only to you. Be ready to store it."
    >
      {answer?.wrong && (
        <Banner tone="bad" title="No key was created.">
          {answer.wrong}
        </Banner>
      )}
      <Card>
        <Facts
          className="pad facts"
          of={{
            Key: claim.name,
            Practice: claim.practiceName,
            Level: levelWords[claim.level],
            Expires: `${counted(claim.termDays, 'day')} from now, or earlier if an agreement ends`,
            'Claim by': <Moment at={claim.claimExpiresAt} />,
          }}
        />
        <div className="pad stack border-t">
          <p className="muted">
            The key reads real patients’ records. Store it on a server that you control, never in a browser
            bundle, a mobile or desktop app, or anything else that a user can open.
          </p>
          {stepUp ? (
            <div className="stack tight">
              <LinkButton look="primary" to={stepUp}>
                Confirm your password
              </LinkButton>
              <p className="small muted">You signed in a while ago. You return to this page.</p>
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
