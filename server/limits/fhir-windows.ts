/**
 * The three rate limits of the FHIR API, including bulk export: that of the IP address before the caller is known, then
 * those of the token and of its practice.
 */

import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import type { SmartPrincipal } from '../auth/principal.ts'
import { Problem } from '../contract/http/problems.ts'
import type { RefusalReason } from '../contract/keys/refusal-reasons.ts'
import type { Edge } from '../http/edge.ts'
import type { Budget, Decision, Limiter, Take } from './windows.ts'

type BudgetedCall = { readonly principal: SmartPrincipal | null; budgets: readonly Budget[] }

/** @throws Problem `rate_limited` */
export async function takeAddressWindow({ ipSubject }: Pick<Edge, 'ipSubject'>, limiter: Limiter) {
  admit(await limiter.take([{ window: 'fhirIp', subject: ipSubject }]))
}

/** Takes from both windows or neither. @throws Problem `rate_limited` */
export async function takeCallerWindows(call: BudgetedCall, limiter: Limiter, clientLimits: ClientLimits) {
  const { principal } = call
  if (principal === null) return
  const requests = await clientLimits.find(principal.clientId)
  const token: Take = { window: 'fhirPrincipal', subject: principal.tokenId, ...(requests && { requests }) }
  call.budgets = admit(
    await limiter.take([token, { window: 'fhirPractice', subject: principal.practice.id }]),
  )
}

const reasons: Partial<Record<Take['window'], RefusalReason>> = {
  fhirIp: 'rate_limited_address',
  fhirPrincipal: 'rate_limited_token',
  fhirPractice: 'rate_limited_practice',
  heavy: 'rate_limited_heavy',
}

function admit(decision: Decision) {
  if (decision.admitted) return decision.budgets
  const { window, retryAfterSeconds } = decision
  throw new Problem('rate_limited', { retryAfterSeconds, detail: reasons[window] ?? 'rate_limited' })
}

/** Counts a heavy request against its credential. @throws Problem `rate_limited` */
export async function takeHeavyWindow(limiter: Limiter, credential: string, cost: number): Promise<void> {
  admit(await limiter.take([{ window: 'heavy', subject: credential, cost }]))
}

// Higher limits that were granted to apps. There are few, so all are read periodically.

/** A process notices a change after this time at the latest. */
const refreshMs = 10_000

export type ClientLimits = ReturnType<typeof createClientLimits>

type Dependencies = {
  prisma: Pick<PrismaClient, 'clientLimit'>
  clock: () => Date
  log: { warn(fields: object, message: string): void }
}

export function createClientLimits({ prisma, clock, log }: Dependencies) {
  let known: ReadonlyMap<string, readonly [number, number]> = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function read(): Promise<void> {
    readAt = clock().getTime()
    try {
      const rows = await prisma.clientLimit.findMany()
      known = new Map(rows.map(({ clientId, burst, sustained }) => [clientId, [burst, sustained]]))
    } catch (error) {
      // Requests continue with the default limits.
      log.warn({ err: error }, 'granted limits could not be read')
    }
  }

  /** @returns the granted limits for the app's tokens, or undefined */
  async function find(clientId: string): Promise<readonly [number, number] | undefined> {
    if (clock().getTime() - readAt >= refreshMs) {
      reading ??= read().finally(() => {
        reading = null
      })
    }
    if (reading !== null) await reading
    return known.get(clientId)
  }

  return { find }
}
