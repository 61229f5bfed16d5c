/**
 * A launch without an account at the authorization server: its real request, and the consent page where the chosen
 * person is signed in by the launch itself. No session is made, and none of the browser's own is read.
 */
import { randomUUID } from 'node:crypto'
import type { LaunchSimulation } from '../../../prisma/generated/client/client.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { narrow } from '../../contract/smart/scope-narrowing.ts'
import { readScopes } from '../../contract/smart/scopes.ts'
import type { Actor, Context } from '../../domain/actor.ts'
import type { AuthorizationHandle } from '../../domain/authorizations/authorization-types.ts'
import type { VerifiedRequest } from '../../domain/authorizations/pending-requests.ts'
import * as pending from '../../domain/authorizations/pending-requests.ts'
import type { Core } from '../../domain/core.ts'
import type { Browser, Fields, Sent } from '../../smart/simulation-hook.ts'
import { findLaunch, noteOpened } from './launched-consent.ts'

/** Who decides on the consent page, in place of somebody signed in. */
type StandIn = Readonly<{ actor: Actor; name: string; email: string }>

/** Opens the request for the person of the launch, with no more than the launch lets it have. */
export async function openForConsent(
  core: Core,
  found: LaunchSimulation,
  request: VerifiedRequest,
  { cookieHeader }: Browser,
  asked: Fields,
): Promise<Sent> {
  const { prisma, clock, addresses } = core
  const scopes = narrow(request.scopes, readScopes(found.scope ?? ''))
  if (!scopes.some((scope) => scope.kind === 'resource' || scope.name === 'openid'))
    throw refuse('scope_nothing')
  const { id, requestId, cookie } = await pending.open(core, { ...request, scopes }, cookieHeader)
  // Of two requests one has the launch.
  const { count } = await prisma.launchSimulation.updateMany({
    where: { id: found.id, usedAt: null },
    data: { usedAt: clock(), requestId },
  })
  if (count === 0) throw refuse('launch_needed')
  await noteOpened(core, found, asked)
  return { redirectTo: addresses.decide(id), cookie }
}

/**
 * Of a launch without an account; null for every other request.
 * @throws Problem `not_found` when the request is not open in this browser, or its launch is gone
 */
export async function findStandIn(
  core: Core,
  handle: AuthorizationHandle,
  context: Context,
): Promise<StandIn | null> {
  const found = await findLaunch(core, handle)
  if (found === null || found.keyHash === null) return null
  const {
    id: accountId,
    name,
    email,
  } = await core.prisma.account.findUniqueOrThrow({
    where: { id: found.accountId ?? '' },
  })
  const now = core.clock()
  return { actor: { ...context, accountId, sessionId: randomUUID(), authenticatedAt: now }, name, email }
}
