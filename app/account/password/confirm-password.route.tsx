/** Asks for the password again, in every realm. The URL says which realm. */
import { Link, useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { stepUpForm } from '../../../server/contract/forms/account.ts'
import { stepUpMinutes } from '../../../server/contract/portal/step-up.ts'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import { safeRedirect } from '../../lib/safe-redirect.ts'
import { proofPaths, realmOf } from '../../lib/sign-in-paths.ts'
import { readForm, refuse, refuseForNow } from '../../lib/submission.server.ts'
import { getSession, page, visitorOf } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Confirm your password · Sandpiper' }]

export const loader = page(async (args) => {
  const realm = realmOf(args.request)
  const session = await getSession(args, realm)
  return { email: session.account.email, leaveTo: proofPaths[realm].first }
})

/** Returns to the page that needed the password, with a new session ID. */
export const action = page(async (args) => {
  const realm = realmOf(args.request)
  const session = await getSession(args, realm)
  const submission = await readForm(args.request, stepUpForm)
  if (submission.status !== 'success') return refuse(submission)
  const { accounts } = args.context.services
  const answer = await accounts.stepUp({ session, ...submission.value }, visitorOf(args))
  if (answer.kind === 'refused') {
    return refuse(submission, { fields: { password: 'This password is not correct.' }, status: 401 })
  }
  if (answer.kind !== 'done') return refuseForNow(submission, answer)
  const wanted = new URL(args.request.url).searchParams.get('next')
  return redirect(safeRedirect(wanted, proofPaths[realm].first), { headers: { 'set-cookie': answer.cookie } })
})

export default function ConfirmPassword() {
  const { email, leaveTo } = useLoaderData<typeof loader>()
  return <ConfirmPasswordGate email={email} leaveTo={leaveTo} />
}

interface ConfirmPasswordProps {
  email: string
  /** Where the cancel link leads. */
  leaveTo: string
}

/** The form for the password, the same in every realm. */
function ConfirmPasswordGate({ email, leaveTo }: ConfirmPasswordProps) {
  return (
    <Gate
      title="Confirm your password"
      lead={`For security, this step needs your password from the last ${stepUpMinutes} minutes.`}
      after={
        <p>
          <Link to={leaveTo}>Cancel</Link>
        </p>
      }
    >
      <ContractForm labels={{ password: 'Password' }} button="Confirm" busy="Checking" wide>
        <p className="muted">
          You are signed in as <b className="text-ink">{email}</b>.
        </p>
        <Field name="password" type="password" autoComplete="current-password" />
      </ContractForm>
    </Gate>
  )
}
