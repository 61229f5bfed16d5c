/**
 * The consent page's side of a simulated launch: the request that it shows, and what was decided there. For every other
 * request, what `domain/authorizations` does and nothing more.
 */

import { randomUUID } from 'node:crypto'
import type { Grant, LaunchSimulation } from '../../../prisma/generated/client/client.ts'
import { hashToken } from '../../auth/random-token.ts'
import { Problem } from '../../contract/http/problems.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { narrow } from '../../contract/smart/scope-narrowing.ts'
import { readScopes, type Scope } from '../../contract/smart/scopes.ts'
import { isUnregisteredApp } from '../../contract/smart/unregistered-apps.ts'
import type { Actor, Context } from '../../domain/actor.ts'
import type { AuthorizationHandle, Decision } from '../../domain/authorizations/authorization-types.ts'
import * as authorizations from '../../domain/authorizations/authorizations.ts'
import type { VerifiedRequest } from '../../domain/authorizations/pending-requests.ts'
import * as pending from '../../domain/authorizations/pending-requests.ts'
import type { Core } from '../../domain/core.ts'
import type { Browser, Fields, Sent } from '../../smart/simulation-hook.ts'
import { noteStep } from './exchange-log.ts'

/** Opens the request of an organization's launch, which has been taken up: a person signs in on the page. */
export async function openForSignIn(
  core: Core,
  found: LaunchSimulation,
  request: VerifiedRequest,
  { cookieHeader }: Browser,
  parameters: Fields,
): Promise<Sent> {
  const { id, requestId, cookie } = await pending.open(core, request, cookieHeader)
  await core.prisma.launchSimulation.update({ where: { id: found.id }, data: { requestId } })
  await noteOpened(core, found, parameters)
  return { redirectTo: core.addresses.decide(id), cookie }
}

function noteOpened(core: Core, { id }: LaunchSimulation, parameters: Fields): Promise<void> {
  const came = { status: 303, location: `${core.env.PUBLIC_ORIGIN}/authorize/…` }
  return noteStep(core, id, { step: 'authorize', ok: true, sent: parameters, came })
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

/** @param actor null: no one has signed in. @throws Problem as `authorizations.deny` */
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
async function findLaunch(core: Core, handle: AuthorizationHandle): Promise<LaunchSimulation | null> {
  const row = await pending.find(core, handle)
  if (row.practice.environment !== 'sandbox') return null
  const found = await core.prisma.launchSimulation.findFirst({ where: { requestId: row.id } })
  if (found === null && isUnregisteredApp(row.clientId)) throw new Problem('not_found')
  return found
}

/** Who decides on the consent page, in place of a person signed in. */
type StandIn = Readonly<{ actor: Actor; name: string; email: string }>

/** Opens the request for the person of the launch, with no more than the launch lets it have. */
export async function openForConsent(
  core: Core,
  found: LaunchSimulation,
  request: VerifiedRequest,
  { cookieHeader }: Browser,
  parameters: Fields,
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
  await noteOpened(core, found, parameters)
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

/** What is left of the scopes where fewer are given. */
const narrowedTo = 'openid fhirUser patient/Patient.rs user/Patient.rs'
const otherState = 'a-state-that-was-never-sent'

/** Of what the person decided, what the launch lets through. */
export function scopesOfLaunch({ fault }: LaunchSimulation, decided: readonly Scope[]): readonly Scope[] {
  return fault === 'narrowed_scopes' ? narrow(decided, readScopes(narrowedTo)) : decided
}

/** Notes what was granted, and lets the way back to the app go wrong where it should. */
export async function finishLaunch(
  { prisma, clock }: Core,
  found: LaunchSimulation,
  redirectTo: string,
): Promise<{ redirectTo: string; grant: Grant }> {
  const url = new URL(redirectTo)
  const { grant } = await prisma.authorizationCode.update({
    where: { codeHash: hashToken(url.searchParams.get('code') ?? '') },
    data: found.fault === 'expired_code' ? { expiresAt: clock() } : {},
    include: { grant: true },
  })
  await prisma.launchSimulation.update({ where: { id: found.id }, data: { grantId: grant.id } })
  if (found.fault === 'wrong_state') url.searchParams.set('state', otherState)
  return { redirectTo: url.href, grant }
}
