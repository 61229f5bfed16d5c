/** What becomes of a simulated launch once its person has allowed something. */
import type { Grant, LaunchSimulation } from '../../../prisma/generated/client/client.ts'
import { hashToken } from '../../auth/random-token.ts'
import { narrow } from '../../contract/smart/scope-narrowing.ts'
import { readScopes, type Scope } from '../../contract/smart/scopes.ts'
import type { Core } from '../../domain/core.ts'

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
