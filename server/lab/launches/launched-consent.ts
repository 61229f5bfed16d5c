/**
 * The consent page's side of a simulated launch: the request that it shows, and what was decided there. For every other
 * request, what `domain/authorizations` does and nothing more.
 */
import type { LaunchSimulation } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { isUnregisteredApp } from '../../contract/smart/unregistered-apps.ts'
import type { Actor } from '../../domain/actor.ts'
import type { AuthorizationHandle, Decision } from '../../domain/authorizations/authorization-types.ts'
import * as authorizations from '../../domain/authorizations/authorizations.ts'
import type { VerifiedRequest } from '../../domain/authorizations/pending-requests.ts'
import * as pending from '../../domain/authorizations/pending-requests.ts'
import type { Core } from '../../domain/core.ts'
import type { Browser, Fields, Sent } from '../../smart/simulation-hook.ts'
import { noteStep } from './exchange-log.ts'
import { finishLaunch, scopesOfLaunch } from './finish-launch.ts'

/** Opens the request of an organization's launch, which has been taken up: somebody signs in on the page. */
export async function openForSignIn(
  core: Core,
  found: LaunchSimulation,
  request: VerifiedRequest,
  { cookieHeader }: Browser,
  asked: Fields,
): Promise<Sent> {
  const { id, requestId, cookie } = await pending.open(core, request, cookieHeader)
  await core.prisma.launchSimulation.update({ where: { id: found.id }, data: { requestId } })
  await noteOpened(core, found, asked)
  return { redirectTo: core.addresses.decide(id), cookie }
}

export function noteOpened(core: Core, { id }: LaunchSimulation, asked: Fields): Promise<void> {
  const came = { status: 303, location: `${core.env.PUBLIC_ORIGIN}/authorize/…` }
  return noteStep(core, id, { step: 'authorize', ok: true, sent: asked, came })
}

/** @throws Problem as `authorizations.approve` */
export async function approve(
  core: Core,
  handle: AuthorizationHandle,
  actor: Actor,
  decision: Decision,
): Promise<{ redirectTo: string }> {
  const found = await findLaunch(core, handle)
  if (found === null) return authorizations.approve(core, handle, actor, decision)
  const approved = await authorizations.approve(core, handle, actor, {
    ...decision,
    scopes: scopesOfLaunch(found, decision.scopes),
  })
  const { redirectTo, grant } = await finishLaunch(core, found, approved.redirectTo)
  const who = found.keyHash === null && grant.fhirUser !== null ? grant.fhirUser : 'The person'
  await noteDecision(core, found, redirectTo, `${who} allowed it.`)
  return { redirectTo }
}

/** @param actor null: nobody has signed in. @throws Problem as `authorizations.deny` */
export async function deny(
  core: Core,
  handle: AuthorizationHandle,
  actor: Actor | null,
): Promise<{ redirectTo: string }> {
  const found = await findLaunch(core, handle)
  const denied = await authorizations.deny(core, handle, actor)
  if (found !== null) await noteDecision(core, found, denied.redirectTo, 'The person did not allow it.')
  return denied
}

function noteDecision(core: Core, { id }: LaunchSimulation, redirectTo: string, note: string): Promise<void> {
  const { origin, pathname, searchParams } = new URL(redirectTo)
  const came = { status: 303, location: `${origin}${pathname}`, ...Object.fromEntries(searchParams) }
  return noteStep(core, id, { step: 'consent', ok: searchParams.has('code'), sent: {}, came, note })
}

/**
 * Null where no launch belongs to the request.
 * @throws Problem `not_found` when the request is not open in this browser, or belongs to a launch that is gone
 */
export async function findLaunch(core: Core, handle: AuthorizationHandle): Promise<LaunchSimulation | null> {
  const row = await pending.find(core, handle)
  if (row.practice.environment !== 'sandbox') return null
  const found = await core.prisma.launchSimulation.findFirst({ where: { requestId: row.id } })
  if (found === null && isUnregisteredApp(row.clientId)) throw new Problem('not_found')
  return found
}
