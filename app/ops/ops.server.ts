/** What every page of operations does: who asks, which act is being asked for, and doing it. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { type OpsAction, opsActForm, opsActions } from '../../server/contract/portal/ops-actions.ts'
import { findStepUp } from '../lib/step-up.server.ts'
import { goOn, refuse, runForm } from '../lib/submission.server.ts'
import { actorOf, getSession, here } from '../services.server.ts'

/** An act that the address asks for: the page shows its form first. */
type AskedAct = { act: OpsAction; id: string; version: number }

type PageAction = Exclude<OpsAction, 'set_practice_fhir' | 'grant_key_limits'>

/** The person of the staff; whether they are of operations is for the domain to say. */
export async function getOps(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const session = await getSession(args, 'staff')
  return { actor: actorOf(args, session), stepUp: findStepUp(args, session) }
}

/** @returns what `?act=…&id=…&version=…` asks for, when this page may do it */
export function readAsked(request: Request, mine: readonly PageAction[]): AskedAct | null {
  const query = new URL(request.url).searchParams
  const act = mine.find((each) => each === query.get('act'))
  const version = Number(query.get('version') ?? '0')
  if (!act || !Number.isSafeInteger(version) || version < 0) return null
  return { act, id: (query.get('id') ?? '').slice(0, 100), version }
}

/** The page without the form of an act: its search, filters and page stay. */
export function withoutAct(request: Request): string {
  const { pathname, searchParams } = new URL(here(request), request.url)
  for (const name of ['act', 'id', 'version']) searchParams.delete(name)
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}

/** Does one of the page's acts and leads back to it. @throws what is no fault of the form's */
export async function performAct(args: ActionFunctionArgs, mine: readonly PageAction[], back: string) {
  const { actor } = await getOps(args)
  return runForm(args.request, opsActForm, async (value, submission) => {
    const { act, id, version, reason, ...fields } = value
    const allowed = mine.find((each) => each === act)
    if (!allowed) return refuse(submission, { form: `${opsActions[act].title}: not available on this page.` })
    await args.context.services.operations.perform(allowed, { id, version, reason, fields }, actor)
    return goOn(back, 'ops_done')
  })
}
