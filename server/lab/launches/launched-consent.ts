/**
 * Wraps `domain/authorizations` for the consent page of a simulated launch, to log the launch and to apply its fault.
 * All other requests pass through unchanged.
 */

import { randomUUID } from 'node:crypto'
import type { LaunchSimulation } from '../../../prisma/generated/client/client.ts'
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

/** Opens the request of an organization's launch, which is already marked as used. A person signs in on the page. */
export async function openForSignIn(
  core: Core,
  launch: LaunchSimulation,
  request: VerifiedRequest,
  { cookieHeader }: Browser,
  parameters: Fields,
): Promise<Sent> {
  const { id, requestId, cookie } = await pending.open(core, request, cookieHeader)
  await core.prisma.launchSimulation.update({ where: { id: launch.id }, data: { requestId } })
  await noteOpened(core, launch, parameters)
  return { redirectTo: core.addresses.decide(id), cookie }
}

function noteOpened(core: Core, { id }: LaunchSimulation, parameters: Fields): Promise<void> {
  const response = { status: 303, location: `${core.env.PUBLIC_ORIGIN}/authorize/…` }
  return noteStep(core, id, { step: 'authorize', ok: true, sent: parameters, came: response })
}

/** @throws Problem as `authorizations.approve` */
export async function approve(core: Core, handle: AuthorizationHandle, actor: Actor, decision: Decision) {
  const launch = await findLaunch(core, handle)
  if (launch === null) return authorizations.approve(core, handle, actor, decision)
  const approved = await authorizations.approve(core, handle, actor, {
    ...decision,
    scopes: scopesOfLaunch(launch, decision.scopes),
  })
  const { redirectTo, grant } = await finishLaunch(core, launch, approved.redirectTo)
  const who = launch.keyHash === null && grant.fhirUser !== null ? grant.fhirUser : 'The person'
  await noteDecision(core, launch, redirectTo, `${who} allowed it.`)
  return { redirectTo }
}

/** @param actor null if nobody has signed in. @throws Problem as `authorizations.deny` */
export async function deny(core: Core, handle: AuthorizationHandle, actor: Actor | null) {
  const launch = await findLaunch(core, handle)
  const denied = await authorizations.deny(core, handle, actor)
  if (launch !== null) await noteDecision(core, launch, denied.redirectTo, 'The person did not allow it.')
  return denied
}

function noteDecision(core: Core, { id }: LaunchSimulation, redirectTo: string, note: string): Promise<void> {
  const { origin, pathname, searchParams } = new URL(redirectTo)
  const response = { status: 303, location: `${origin}${pathname}`, ...Object.fromEntries(searchParams) }
  return noteStep(core, id, { step: 'consent', ok: searchParams.has('code'), sent: {}, came: response, note })
}

/**
 * The launch of the request, or null.
 * @throws Problem `not_found` when the request is not open in this browser, or belongs to a launch that is gone
 */
async function findLaunch(core: Core, handle: AuthorizationHandle): Promise<LaunchSimulation | null> {
  const row = await pending.find(core, handle)
  if (row.practice.environment !== 'sandbox') return null
  const launch = await core.prisma.launchSimulation.findFirst({ where: { requestId: row.id } })
  if (launch === null && isUnregisteredApp(row.clientId)) throw new Problem('not_found')
  return launch
}

/** Opens the request for the launch's own person, with only the scopes that the launch allows. */
export async function openForConsent(
  core: Core,
  launch: LaunchSimulation,
  request: VerifiedRequest,
  { cookieHeader }: Browser,
  parameters: Fields,
): Promise<Sent> {
  const { prisma, clock, addresses } = core
  const scopes = narrow(request.scopes, readScopes(launch.scope ?? ''))
  if (!scopes.some((scope) => scope.kind === 'resource' || scope.name === 'openid'))
    throw refuse('scope_nothing')
  const { id, requestId, cookie } = await pending.open(core, { ...request, scopes }, cookieHeader)
  // If two requests race for the launch, only one gets it.
  const { count } = await prisma.launchSimulation.updateMany({
    where: { id: launch.id, usedAt: null },
    data: { usedAt: clock(), requestId },
  })
  if (count === 0) throw refuse('launch_needed')
  await noteOpened(core, launch, parameters)
  return { redirectTo: addresses.decide(id), cookie }
}

/**
 * The person of a launch without an account; null for every other request.
 * @throws Problem `not_found` when the request is not open in this browser, or its launch is gone
 */
export async function findStandIn(core: Core, handle: AuthorizationHandle, context: Context) {
  const launch = await findLaunch(core, handle)
  if (launch === null || launch.keyHash === null) return null
  const {
    id: accountId,
    name,
    email,
  } = await core.prisma.account.findUniqueOrThrow({
    where: { id: launch.accountId ?? '' },
  })
  const now = core.clock()
  return { actor: { ...context, accountId, sessionId: randomUUID(), authenticatedAt: now }, name, email }
}

/** The most scopes that the fault `narrowed_scopes` leaves. */
const narrowedTo = 'openid fhirUser patient/Patient.rs user/Patient.rs'
const otherState = 'a-state-that-was-never-sent'

/** The scopes to grant: those that the person approved, or fewer if the launch has the fault `narrowed_scopes`. */
export const scopesOfLaunch = ({ fault }: LaunchSimulation, decided: readonly Scope[]): readonly Scope[] =>
  fault === 'narrowed_scopes' ? narrow(decided, readScopes(narrowedTo)) : decided

/** Records the grant, and applies the launch's fault to the way back to the app. */
export async function finishLaunch({ prisma, clock }: Core, launch: LaunchSimulation, redirectTo: string) {
  const url = new URL(redirectTo)
  const { grant } = await prisma.authorizationCode.update({
    where: { codeHash: hashToken(url.searchParams.get('code') ?? '') },
    data: launch.fault === 'expired_code' ? { expiresAt: clock() } : {},
    include: { grant: true },
  })
  await prisma.launchSimulation.update({ where: { id: launch.id }, data: { grantId: grant.id } })
  if (launch.fault === 'wrong_state') url.searchParams.set('state', otherState)
  return { redirectTo: url.href, grant }
}
