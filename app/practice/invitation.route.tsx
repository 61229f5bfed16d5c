import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { practiceJoinForm } from '../../server/contract/forms/account.ts'
import { isProblem } from '../../server/contract/http/problems.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { Field } from '../components/ui/form.tsx'
import { Banner, Card, LinkButton, SubmitButton } from '../components/ui/page-parts.tsx'
import { goOn, readFields } from '../lib/submission.server.ts'
import { actorOf, findSession, getSession, here, linkTokenOf, page, visitorOf } from '../services.server.ts'
import { DeadLink, Gate } from '../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Invitation · Sandpiper' }]

/** The loader changes nothing, because mail programs open links on their own. */
export const loader = page(async (args) => {
  const invitation = await args.context.services.practiceStaff.findInvitation(linkTokenOf(args))
  const session = await findSession(args, 'practice')
  return {
    invitation,
    signedIn: session !== null,
    signIn: `${paths.practiceSignIn}?${new URLSearchParams({ next: here(args.request) })}`,
  }
})

export const action = page(async (args) => {
  const { practiceStaff } = args.context.services
  const token = linkTokenOf(args)
  const fields = await readFields(args.request)
  const wrong = (message: string, status: number, name = '') => data({ wrong: message, name }, { status })
  if (fields.get('intent') === 'join') {
    const session = await getSession(args, 'practice')
    const answer = await practiceStaff.acceptAsKnown({ token }, actorOf(args, session))
    if (answer.kind === 'accepted') return redirect(paths.practice)
    if (answer.kind === 'other_account')
      return wrong(`It was sent to ${answer.maskedEmail}. Sign in with that address.`, 403)
    return redirect(here(args.request))
  }
  const name = String(fields.get('name') ?? '')
  const parsed = practiceJoinForm.safeParse(Object.fromEntries(fields))
  if (!parsed.success) return wrong(parsed.error.issues[0]?.message ?? 'This doesn’t match.', 400, name)
  try {
    const answer = await practiceStaff.acceptAsNew({ token, ...parsed.data }, visitorOf(args))
    if (answer.kind !== 'accepted') return redirect(here(args.request))
  } catch (thrown) {
    if (!isProblem(thrown) || ![400, 409].includes(thrown.status)) throw thrown
    return wrong(thrown.message, thrown.status, name)
  }
  return goOn(paths.practiceSignIn, 'practice_joined')
})

export default function PracticeInvitation() {
  const { invitation, signedIn, signIn } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  if (invitation.kind !== 'new' && invitation.kind !== 'known') {
    return (
      <DeadLink kind={invitation.kind}>
        <p>If you have joined already, sign in. Otherwise ask the person who invited you for a new link.</p>
        <LinkButton look="primary" to={paths.practiceSignIn}>
          Practice sign-in
        </LinkButton>
      </DeadLink>
    )
  }
  return (
    <Gate
      title={`Join ${invitation.practiceName}`}
      lead={`You are invited to the practice console as ${invitation.role}. Your sign-in is ${invitation.maskedEmail}.`}
    >
      {answer?.wrong && (
        <Banner tone="bad" title="Not saved.">
          {answer.wrong}
        </Banner>
      )}
      {invitation.kind === 'new' ? (
        <Form method="post" className="card pad stack" aria-label="Join">
          <Field name="name" label="Your name" value={answer?.name ?? ''} />
          <Field name="password" label="Choose a password" type="password" autoComplete="new-password" />
          <SubmitButton busy="Joining">Join</SubmitButton>
        </Form>
      ) : signedIn ? (
        <Form method="post" className="card pad stack" aria-label="Join">
          <SubmitButton name="intent" value="join" busy="Joining">
            Join with your current sign-in
          </SubmitButton>
        </Form>
      ) : (
        <Card padded>
          <LinkButton look="primary" to={signIn}>
            Sign in to join
          </LinkButton>
        </Card>
      )}
    </Gate>
  )
}
