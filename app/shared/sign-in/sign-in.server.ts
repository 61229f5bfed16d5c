/** Signs people in on every sign-in page. */
import { redirect } from '@remix-run/server-runtime'
import { signInForm } from '../../../server/contract/forms/account.ts'
import type { Realm } from '../../../server/contract/portal/realms.ts'
import { safeRedirect } from '../../lib/safe-redirect.ts'
import { readForm, refuse, refuseForNow } from '../../lib/submission.server.ts'
import { findSession, type PageArgs, visitorOf } from '../../services.server.ts'

/** The page after the sign-in: the one that required it, else the realm's first page. */
function nextPath(request: Request, first: string): string {
  return safeRedirect(new URL(request.url).searchParams.get('next'), first)
}

/** Redirects people who are signed in already. */
export async function skipSignedIn(args: PageArgs, realm: Realm, first: string): Promise<null> {
  if (await findSession(args, realm)) throw redirect(nextPath(args.request, first))
  return null
}

/** Signs in and redirects to the page that required it, else to the realm's first page. */
export async function signIn(args: PageArgs, realm: Realm, first: string) {
  return signInAndGo(args, { realm, to: nextPath(args.request, first) })
}

/**
 * One sentence for a wrong address and a wrong password, so that no one learns which accounts exist.
 * @param target.practiceId the practice whose audit log records the sign-in
 */
export async function signInAndGo(
  args: PageArgs,
  { realm, to, practiceId }: { realm: Realm; to: string; practiceId?: string },
) {
  const submission = await readForm(args.request, signInForm)
  if (submission.status !== 'success') return refuse(submission)
  const answer = await args.context.services.accounts.signIn(
    { realm, ...submission.value, ...(practiceId === undefined ? {} : { practiceId }) },
    visitorOf(args),
  )
  switch (answer.kind) {
    case 'signed_in':
      return redirect(to, { headers: { 'set-cookie': answer.cookie } })
    case 'refused':
      return refuse(submission, { form: 'The email address or password is not correct.', status: 401 })
    case 'unverified':
      return refuse(submission, {
        form: 'Confirm your address first. Open the link we emailed you, or request a new one below.',
        status: 403,
      })
    default:
      return refuseForNow(submission, answer)
  }
}
