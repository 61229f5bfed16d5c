import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { limits } from '../../../server/contract/http/limits.ts'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Banner, Card, Facts, LinkButton, Moment, SubmitButton } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { doneCookie } from '../../lib/flash.ts'
import { readFields } from '../../lib/submission.server.ts'
import {
  actorOf,
  findKeyStepUp,
  findSession,
  getSession,
  here,
  linkTokenOf,
  type PageArgs,
  type PortalSession,
  page,
} from '../../services.server.ts'
import { DeadLink, Gate } from '../../shared/frames/gate.tsx'
import { levelWords } from '../../shared/keys/key-words.tsx'
import { ConfirmButton } from '../../shared/sign-in/confirm-first.tsx'
import { RevealDialog } from './reveal-dialog.tsx'

/** Whether the URL claims a production key, and not a sandbox key. */
const isProduction = ({ request }: Pick<PageArgs, 'request'>) =>
  new URL(request.url).pathname.startsWith('/developers/production-keys/')

export const meta = () => [{ title: 'Claim your key · Sandpiper' }]

/** The link of the email carries a token, a page of the portal the request's id. */
function handleOf(args: PageArgs): { token: string } | { requestId: string } {
  const requestId = new URL(args.request.url).searchParams.get('request')
  return requestId === null ? { token: linkTokenOf(args) } : { requestId }
}

const proofPath = (args: PageArgs, session: PortalSession) =>
  findKeyStepUp(args, session, isProduction(args) ? 'production' : 'sandbox')

/** The loader changes nothing, because mail programs open links on their own. */
export const loader = page(async (args) => {
  const { keys, productionKeys } = args.context.services
  const session = await findSession(args, 'developer')
  const handle = { ...handleOf(args), accountId: session?.accountId }
  const claim = isProduction(args)
    ? await productionKeys.findClaim(handle)
    : { ...(await keys.findClaim(handle)), termDays: limits.keyDays }
  return {
    claim,
    production: isProduction(args),
    signIn: `${paths.signIn}?${new URLSearchParams({ next: here(args.request) })}`,
    proof: session && proofPath(args, session),
  }
})

/** Reveals the key once, or sends a new link after the last one expired. */
export const action = page(async (args) => {
  const session = await getSession(args, 'developer')
  const { keys, productionKeys } = args.context.services
  const actor = actorOf(args, session)
  const fields = await readFields(args.request)
  const requestId = String(fields.get('request') ?? '')
  try {
    if (fields.get('intent') === 'reissue') {
      if (isProduction(args)) {
        await productionKeys.reissue({ requestId }, actor)
        const { organization } = await productionKeys.get(requestId, actor)
        return redirect(paths.productionKey(organization.slug, requestId))
      }
      const { kind } = await keys.reissueClaim({ requestId }, actor)
      return kind === 'sent'
        ? redirect(paths.keys, { headers: { 'set-cookie': doneCookie('claim_sent') } })
        : redirect(here(args.request))
    }
    const answer = await (isProduction(args) ? productionKeys : keys).reveal(handleOf(args), actor)
    if (answer.kind === 'step_up_needed') return redirect(proofPath(args, session) ?? here(args.request))
    if (answer.kind !== 'revealed') return redirect(here(args.request))
    return data({ revealed: answer, wrong: null }, { headers: { 'cache-control': 'no-store' } })
  } catch (thrown) {
    if (!isProduction(args) || !isProblem(thrown) || thrown.status !== 409) throw thrown
    return data({ revealed: null, wrong: thrown.message }, { status: 409 })
  }
})

/** No cache may store the response that contains the key. */
export const headers = () => ({ 'cache-control': 'no-store' })

export default function Claim() {
  const { claim, production, signIn, proof } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  if (answer?.revealed)
    return (
      <Gate title="Your key" lead="Save it now. Leaving this page loses it." wide>
        <RevealDialog
          revealed={answer.revealed}
          leaveTo={production ? paths.organizationKeys(answer.revealed.organizationSlug) : paths.keys}
        />
      </Gate>
    )
  if (claim.kind !== 'live') return <ClaimRefused claim={claim} signIn={signIn} />
  return (
    <Gate
      title={production ? 'Claim your production key' : 'Claim your key'}
      lead={`The next page shows it once${production ? ', only to you' : ''}. Have a safe place ready to store it.`}
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
            Expires: `${counted(claim.termDays, 'day')} from now${production ? ', or earlier if an agreement ends' : ''}`,
            'Claim by': <Moment at={claim.claimExpiresAt} as="deadline" />,
          }}
        />
        <div className="pad stack border-t">
          <p className="muted">
            {production && 'The key reads real patients’ records. '}
            Keep it on a server you control. Never put it in a browser bundle, a mobile or desktop app, or
            anything users can open.
          </p>
          {proof ? (
            <div className="stack tight">
              <ConfirmButton to={proof} />
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

type Refusal =
  | { kind: 'sign_in_first' }
  | { kind: 'other_account'; maskedEmail: string }
  | { kind: 'expired'; requestId: string; reissuesLeft: number }
  | { kind: 'used'; revealedAt: Date }
  | { kind: 'replaced' }
  | { kind: 'unknown' }

const toKeys = (
  <LinkButton look="primary" to={paths.keys}>
    Go to your keys
  </LinkButton>
)

/** Says why the key can't be claimed, and what to do instead. */
function ClaimRefused({ claim, signIn }: { claim: Refusal; signIn: string }) {
  switch (claim.kind) {
    case 'sign_in_first':
      return (
        <Gate
          title="Sign in to claim your key"
          lead="A claim link works only for its account. You return here after signing in."
        >
          <Card padded>
            <LinkButton look="primary" to={signIn}>
              Sign in
            </LinkButton>
          </Card>
        </Gate>
      )
    case 'other_account':
      return (
        <Gate
          title="This key belongs to someone else"
          lead="You are signed in with an account that can’t claim this key."
        >
          <Card padded>
            <p>
              It was requested by <b>{claim.maskedEmail}</b>. Sign out and sign in with that address, or ask
              them to claim it.
            </p>
            <Form method="post" action="/sign-out">
              <SubmitButton>Sign out</SubmitButton>
            </Form>
          </Card>
        </Gate>
      )
    case 'expired':
      return (
        <Gate
          title="This claim link has expired"
          lead="Claim links expire after 72 hours. The key has not been created yet, so nothing is lost."
        >
          <Card padded>
            {claim.reissuesLeft > 0 ? (
              <Form method="post" className="stack">
                <p>
                  Request a new link.{' '}
                  {claim.reissuesLeft === 1
                    ? 'This is the last one.'
                    : `You can do this ${claim.reissuesLeft} more times.`}
                </p>
                <input type="hidden" name="request" value={claim.requestId} />
                <SubmitButton name="intent" value="reissue" busy="Sending">
                  Send new link
                </SubmitButton>
              </Form>
            ) : (
              <>
                <p>You have used all links for this request. Request a new key. It takes a minute.</p>
                {toKeys}
              </>
            )}
          </Card>
        </Gate>
      )
    case 'used':
      return (
        <Gate
          title="This key has already been claimed"
          lead="A key is shown only once. No one can see it again, including us."
        >
          <Card padded>
            <p>
              It was claimed on <Moment at={claim.revealedAt} />. If this wasn’t you or a colleague, revoke
              the key now. If you lost the key, revoke it and request another.
            </p>
            {toKeys}
          </Card>
        </Gate>
      )
    default:
      return (
        <DeadLink kind={claim.kind}>
          <p>You can also claim keys on the keys page.</p>
          {toKeys}
        </DeadLink>
      )
  }
}
