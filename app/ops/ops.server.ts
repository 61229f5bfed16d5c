/** The common steps of the operations pages: find the staff member, read the requested action, perform it. */
import { type OpsAction, opsActForm, opsActions } from '../../server/contract/portal/ops-actions.ts'
import { goOn, refuse, runForm } from '../lib/submission.server.ts'
import { actorOf, findStepUp, getSession, here, type PageArgs } from '../services.server.ts'

/** An action that the URL requests. The page shows its form first. */
export type RequestedAction = { act: OpsAction; id: string; version: number }

type PageAction = Exclude<OpsAction, 'grant_key_limits'>

/** Returns the signed-in staff member. The domain checks whether they belong to operations. */
export async function getOps(args: PageArgs) {
  const session = await getSession(args, 'staff')
  return { actor: actorOf(args, session), stepUp: findStepUp(args, session) }
}

/**
 * The first call in the loader of a page with actions.
 * @param back the page without the form of an action
 * @returns `act` for `OpsActionForm`: the requested action, if it is one of the page's, and the ways from its form
 */
export async function openOps(
  args: PageArgs,
  pageActions: readonly PageAction[],
  back = withoutAct(args.request),
) {
  const { actor, stepUp } = await getOps(args)
  return { actor, act: { requested: readAction(args.request, pageActions), stepUp, back } }
}

/** @returns the action in `?act=…&id=…&version=…`, or null if this page does not have it */
export function readAction(request: Request, pageActions: readonly PageAction[]): RequestedAction | null {
  const query = new URL(request.url).searchParams
  const act = pageActions.find((name) => name === query.get('act'))
  const version = Number(query.get('version') ?? '0')
  if (!act || !Number.isSafeInteger(version) || version < 0) return null
  return { act, id: (query.get('id') ?? '').slice(0, 100), version }
}

/** The page's URL without the form of an action; its search, filters and page number stay. */
export function withoutAct(request: Request): string {
  const { pathname, searchParams } = new URL(here(request), request.url)
  for (const name of ['act', 'id', 'version']) searchParams.delete(name)
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}

/** Performs one of the page's actions and leads back to it. @throws errors that do not belong on the form */
export async function performAction(args: PageArgs, pageActions: readonly PageAction[], back: string) {
  const { actor } = await getOps(args)
  return runForm(args.request, opsActForm, async (value, submission) => {
    const { act, id, version, reason, ...fields } = value
    const allowed = pageActions.find((name) => name === act)
    if (!allowed) return refuse(submission, { form: `${opsActions[act].title}: not available on this page.` })
    await args.context.services.operations.perform(allowed, { id, version, reason, fields }, actor)
    return goOn(back, 'ops_done')
  })
}
