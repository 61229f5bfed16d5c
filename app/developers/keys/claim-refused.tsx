import { Form } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { LinkButton, SubmitButton } from '../../components/ui/button.tsx'
import { Card, Moment } from '../../components/ui/page-parts.tsx'
import { DeadLink, Gate } from '../../shared/frames/gate.tsx'

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

/** A claim that cannot be made: why, and what to do instead. */
export function ClaimRefused({ claim, signIn }: { claim: Refusal; signIn: string }) {
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
