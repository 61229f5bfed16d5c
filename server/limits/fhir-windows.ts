/**
 * The three budgets of a FHIR base, bulk export included: the address before anything is known of the caller, then
 * its own and its practice's.
 */
import type { SmartPrincipal } from '../auth/principal.ts'
import { Problem } from '../contract/http/problems.ts'
import type { Edge } from '../http/edge.ts'
import type { ClientLimits } from './client-limits.ts'
import type { Budget, Decision, Limiter, Take } from './windows.ts'

/** Of a request at an interface of the FHIR base. */
type BudgetedCall = { readonly principal: SmartPrincipal | null; budgets: readonly Budget[] }

/** @throws Problem `rate_limited` */
export async function takeAddressWindow(
  { ipSubject }: Pick<Edge, 'ipSubject'>,
  limiter: Limiter,
): Promise<void> {
  admit(await limiter.take([{ window: 'fhirIp', subject: ipSubject }]))
}

/** Both or neither. @throws Problem `rate_limited` */
export async function takeCallerWindows(
  call: BudgetedCall,
  limiter: Limiter,
  clientLimits: ClientLimits,
): Promise<void> {
  const { principal } = call
  if (principal === null) return
  const requests = await clientLimits.find(principal.clientId)
  const own: Take = { window: 'fhirPrincipal', subject: principal.tokenId, ...(requests && { requests }) }
  call.budgets = admit(await limiter.take([own, { window: 'fhirPractice', subject: principal.practice.id }]))
}

const reasons: Partial<Record<Take['window'], string>> = {
  fhirIp: 'rate_limited_address',
  fhirPrincipal: 'rate_limited_token',
  fhirPractice: 'rate_limited_practice',
}

function admit(decision: Decision) {
  if (decision.admitted) return decision.budgets
  const { window, retryAfterSeconds } = decision
  throw new Problem('rate_limited', { retryAfterSeconds, detail: reasons[window] ?? 'rate_limited' })
}
