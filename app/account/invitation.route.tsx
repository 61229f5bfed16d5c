import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { roleDescriptions } from '../../server/contract/portal/organization-roles.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { Banner, Card, LinkButton, SubmitButton } from '../components/ui/page-parts.tsx'
import { goOn } from '../lib/submission.server.ts'
import { actorOf, findSession, getSession, here, linkTokenOf, page } from '../services.server.ts'
import { DeadLink, Gate } from '../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Invitation · Sandpiper' }]

/** The loader changes nothing. The person joins with the button. */
export const loader = page(async (args) => {
  const session = await findSession(args, 'developer')
  return {
    invitation: await args.context.services.organizations.findInvitation(linkTokenOf(args)),
    email: session?.account.email ?? null,
    signIn: `${paths.signIn}?${new URLSearchParams({ next: here(args.request) })}`,
  }
})

export const action = page(async (args) => {
  const session = await getSession(args, 'developer')
  const { organizations } = args.context.services
  const answer = await organizations.acceptInvitation({ token: linkTokenOf(args) }, actorOf(args, session))
  if (answer.kind === 'other_account') return { maskedEmail: answer.maskedEmail }
  if (answer.kind !== 'joined') return redirect(here(args.request))
  const joined = (await organizations.listFor(session.accountId)).find(
    (each) => each.id === answer.organizationId,
  )
  const next = joined ? paths.organization(joined.slug) : paths.developers
  return goOn(next, 'organization_joined')
})

export default function Invitation() {
  const { invitation, email, signIn } = useLoaderData<typeof loader>()
  const wrongAccount = useActionData<typeof action>()?.maskedEmail
  if (invitation.kind !== 'live') {
    return (
      <DeadLink kind={invitation.kind}>
        <p>
          {invitation.kind === 'used'
            ? 'You are already a member.'
            : 'Ask the person who invited you to send it again.'}
        </p>
        <LinkButton look="primary" to={paths.developers}>
          Go to the dashboard
        </LinkButton>
      </DeadLink>
    )
  }
  return (
    <Gate title={`Join ${invitation.organizationName}`} lead={`You are invited as ${invitation.role}.`}>
      {wrongAccount && (
        <Banner tone="bad" title={`This invitation is for ${wrongAccount}.`}>
          You are signed in as {email}. Sign out and sign in with the right account.
        </Banner>
      )}
      <Card padded>
        <p>{roleDescriptions[invitation.role]}</p>
        <p className="muted">
          The invitation is for <b className="text-ink">{invitation.maskedEmail}</b>.
        </p>
        {email === null ? (
          <div className="row">
            <LinkButton look="primary" to={signIn}>
              Sign in and join
            </LinkButton>
            <LinkButton to={paths.signUp}>Sign up first</LinkButton>
          </div>
        ) : wrongAccount ? (
          <Form method="post" action="/sign-out">
            <SubmitButton>Sign out</SubmitButton>
          </Form>
        ) : (
          <Form method="post">
            <SubmitButton busy="Joining">Join as {email}</SubmitButton>
          </Form>
        )}
      </Card>
    </Gate>
  )
}
