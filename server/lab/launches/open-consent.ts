/**
 * A launch without an account at the authorization server: its real request, and the consent page where the chosen
 * person is signed in by the launch itself. No session is made, and none of the browser's own is read.
 */
import { randomUUID } from 'node:crypto'
import type { LaunchSimulation } from '../../../prisma/generated/client/client.ts'
import { hashToken } from '../../auth/random-token.ts'
import { Problem } from '../../contract/http/problems.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { narrow } from '../../contract/smart/scope-narrowing.ts'
import { readScopes } from '../../contract/smart/scopes.ts'
import { isUnregisteredApp } from '../../contract/smart/unregistered-apps.ts'
import type { Actor, Context } from '../../domain/actor.ts'
import type { AuthorizationHandle, Decision } from '../../domain/authorizations/authorization-types.ts'
import * as authorizations from '../../domain/authorizations/authorizations.ts'
import type { VerifiedRequest } from '../../domain/authorizations/pending-requests.ts'
import * as pending from '../../domain/authorizations/pending-requests.ts'
import type { Core } from '../../domain/core.ts'
import type { Fields, Sent } from '../../smart/simulation-hook.ts'
import { noteStep } from './exchange-log.ts'

/** Who decides on the consent page, in place of somebody signed in. */
type StandIn = Readonly<{ actor: Actor; name: string; email: string }>

/** Opens the request for the person of the launch, with no more than the launch lets it have. */
export async function openForConsent(
  core: Core,
  found: LaunchSimulation,
  request: VerifiedRequest,
  asked: Fields,
): Promise<Sent> {
  const { prisma, clock, addresses, env } = core
  const scopes = narrow(request.scopes, readScopes(found.scope ?? ''))
  if (!scopes.some((scope) => scope.kind === 'resource' || scope.name === 'openid'))
    throw refuse('scope_nothing')
  const { id, requestId, cookie } = await pending.open(core, { ...request, scopes })
  // Of two requests one has the launch.
  const { count } = await prisma.launchSimulation.updateMany({
    where: { id: found.id, usedAt: null },
    data: { usedAt: clock(), requestId },
  })
  if (count === 0) throw refuse('launch_needed')
  await noteStep(core, found.id, {
    step: 'authorize',
    ok: true,
    sent: asked,
    came: { status: 303, location: `${env.PUBLIC_ORIGIN}/authorize/…` },
  })
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
  if (found === null) return null
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

/** The stand-in allows it. @throws Problem as `authorizations.approve` */
export async function approve(
  core: Core,
  handle: AuthorizationHandle,
  actor: Actor,
  decision: Decision,
): Promise<{ redirectTo: string }> {
  const found = await getLaunch(core, handle)
  const { redirectTo } = await authorizations.approve(core, handle, actor, decision)
  const codeHash = hashToken(new URL(redirectTo).searchParams.get('code') ?? '')
  const { grantId } = await core.prisma.authorizationCode.findUniqueOrThrow({ where: { codeHash } })
  await core.prisma.launchSimulation.update({ where: { id: found.id }, data: { grantId } })
  await noteDecision(core, found, redirectTo, 'The person allowed it.')
  return { redirectTo }
}

/** The stand-in says no. */
export async function deny(
  core: Core,
  handle: AuthorizationHandle,
  actor: Actor,
): Promise<{ redirectTo: string }> {
  const found = await getLaunch(core, handle)
  const { redirectTo } = await authorizations.deny(core, handle, actor)
  await noteDecision(core, found, redirectTo, 'The person did not allow it.')
  return { redirectTo }
}

function noteDecision(core: Core, { id }: LaunchSimulation, redirectTo: string, note: string): Promise<void> {
  const { origin, pathname, searchParams } = new URL(redirectTo)
  const came = { status: 303, location: `${origin}${pathname}`, ...Object.fromEntries(searchParams) }
  return noteStep(core, id, { step: 'consent', ok: searchParams.has('code'), sent: {}, came, note })
}

async function getLaunch(core: Core, handle: AuthorizationHandle): Promise<LaunchSimulation> {
  const found = await findLaunch(core, handle)
  if (found === null) throw new Problem('not_found')
  return found
}

async function findLaunch(core: Core, handle: AuthorizationHandle): Promise<LaunchSimulation | null> {
  const row = await pending.find(core, handle)
  if (!isUnregisteredApp(row.clientId)) return null
  const found = await core.prisma.launchSimulation.findFirst({ where: { requestId: row.id } })
  if (found === null) throw new Problem('not_found')
  return found
}
