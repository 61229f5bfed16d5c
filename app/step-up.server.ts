/** The password again, for what needs it fresh. */
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { stepUpForm } from '../server/contract/forms-account.ts'
import { paths } from '../server/contract/paths.ts'
import type { Realm } from '../server/contract/realms.ts'
import { localPath } from './local-path.ts'
import { getSession, here, type PortalSession, page, visitorOf } from './services.server.ts'
import { readForm, refuse, refuseForNow } from './submission.server.ts'

type Place = { realm: Realm /** Where to go when nobody said. */; first: string }

/** Whose password is asked for. */
export function confirmPasswordLoader({ realm }: Place) {
  return page(async (args: LoaderFunctionArgs) => {
    const session = await getSession(args, realm)
    return { email: session.account.email }
  })
}

/** Goes on to where the password was asked for, under a new session id. */
export function confirmPasswordAction({ realm, first }: Place) {
  return page(async (args: ActionFunctionArgs) => {
    const session = await getSession(args, realm)
    const submission = await readForm(args.request, stepUpForm)
    if (submission.status !== 'success') return refuse(submission)
    const answer = await args.context.services.accounts.stepUp(
      { session, ...submission.value },
      visitorOf(args),
    )
    if (answer.kind === 'refused') {
      return refuse(submission, { fields: { password: 'This is not your password.' }, status: 401 })
    }
    if (answer.kind !== 'done') return refuseForNow(submission, answer)
    const next = localPath(new URL(args.request.url).searchParams.get('next'), first)
    return redirect(next, { headers: { 'set-cookie': answer.cookie } })
  })
}

/** The address of the page that asks for the password and leads back here. */
export function confirmPasswordPath(path: string, request: Request): string {
  return `${path}?${new URLSearchParams({ next: here(request) })}`
}

const confirmPaths: Partial<Record<Realm, string>> = {
  developer: paths.confirmPassword,
  staff: paths.staffConfirmPassword,
  practice: paths.practiceConfirmPassword,
}

/**
 * What binds an organization or a practice asks for a fresh proof of who is there.
 * @returns the address of the page that asks for what is missing and leads back here; null when nothing is
 */
export function findStepUp(
  args: LoaderFunctionArgs | ActionFunctionArgs,
  session: PortalSession,
  realm: Realm,
): string | null {
  if (args.context.services.sessions.isStepUpFresh(session)) return null
  return confirmPasswordPath(confirmPaths[realm] ?? paths.confirmPassword, args.request)
}
