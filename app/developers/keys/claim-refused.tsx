import { Form } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { LinkButton, SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { Gate } from '../../shared/frames/gate.tsx'

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
        <Gate title="Sign in to claim your key" lead="A claim link alone opens nothing. You come back here.">
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
          title="This key was asked for by somebody else"
          lead="You are signed in, but not as one of its people."
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
          title="This claim link has ended"
          lead="Claim links live 72 hours. Nothing is lost: the key was not made yet."
        >
          <Card padded>
            {claim.reissuesLeft > 0 ? (
              <Form method="post" className="stack">
                <p>
                  Have a new link sent.{' '}
                  {claim.reissuesLeft === 1
                    ? 'It is the last one.'
                    : `It can be done ${claim.reissuesLeft} more times.`}
                </p>
                <input type="hidden" name="request" value={claim.requestId} />
                <SubmitButton name="intent" value="reissue" busy="Sending">
                  Send a new link
                </SubmitButton>
              </Form>
            ) : (
              <>
                <p>No new link is left for this request. Request a key again; it takes a minute.</p>
                {toKeys}
              </>
            )}
          </Card>
        </Gate>
      )
    case 'used':
      return (
        <Gate
          title="This key was claimed already"
          lead="A key is shown once. Nobody can show it again, us included."
        >
          <Card padded>
            <p>
              It was revealed on <Moment at={claim.revealedAt} />. If that was not you or a colleague, revoke
              the key now. If the key is lost, revoke it and request another.
            </p>
            {toKeys}
          </Card>
        </Gate>
      )
    default:
      return (
        <Gate
          title="This link does not work"
          lead={
            claim.kind === 'replaced'
              ? 'A newer one was sent for the same key. Open the newest mail.'
              : 'It may have been cut off when it was copied. Open it from the mail again.'
          }
        >
          <Card padded>
            <p>A key that waits for you is on your keys page too.</p>
            {toKeys}
          </Card>
        </Gate>
      )
  }
}
