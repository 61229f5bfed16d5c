/** Authenticates the key and limits failed attempts of an address. Every cause gets the same 401. */
import { type ApiKeyAuth, type ApiKeyOutcome, claimedPrefixIn } from '../auth/api-key.ts'
import { isInNetworks } from '../auth/network-list.ts'
import { Problem } from '../contract/http/problems.ts'
import type { AuthenticationReason, RefusalReason } from '../contract/keys/refusal-reasons.ts'
import type { Limiter, Take } from '../limits/windows.ts'
import type { Call } from './call.ts'

type AuthenticationDependencies = { auth: ApiKeyAuth; limiter: Limiter }

export function createAuthentication({ auth, limiter }: AuthenticationDependencies) {
  /**
   * Checks the key even if its address has too many failures, so that a valid key works whatever its neighbors send.
   * @throws Problem `unauthorized`, or `rate_limited` for one failure too many
   */
  async function authenticate(call: Call): Promise<void> {
    const authorization = call.request.headers.get('authorization')
    await accept(
      call,
      await auth.authenticate(authorization, call.environment).catch(loggedTo(call, authorization)),
    )
  }

  /** Reads the principal again, because its practice may have moved to another dataset. */
  async function authenticateAnew(call: Call): Promise<void> {
    call.principal = null
    const authorization = call.request.headers.get('authorization')
    await accept(call, await auth.authenticate(authorization, call.environment, { anew: true }))
  }

  /**
   * Checks the key in the database if no statement has done so yet, so that an invalid key always gets 401.
   * @throws Problem as `authenticate` does
   */
  async function confirm(call: Call): Promise<void> {
    if (call.principal === null || call.alive) return
    call.alive = await auth.isAlive(call.principal)
    if (!call.alive) await authenticateAnew(call)
  }

  /** @throws Problem `unauthorized`, or `rate_limited` */
  async function fail(call: Call, reason: AuthenticationReason): Promise<never> {
    call.principal = null
    if (isWholeKey(reason)) throw new Problem('unauthorized', { detail: reason })
    const decision = await limiter.take([failureOf(call)])
    if (!decision.admitted) throw tooManyFailures(decision.retryAfterSeconds)
    throw new Problem('unauthorized', { detail: reason })
  }

  async function accept(call: Call, outcome: ApiKeyOutcome): Promise<void> {
    if (outcome.kind === 'principal') {
      const { principal, fresh } = outcome
      if (isInNetworks(call.edge.ip, principal.allowedNetworks)) {
        call.principal = principal
        call.alive = fresh
        return
      }
      // The cached list may be outdated, so the database decides before a refusal.
      if (!fresh) return authenticateAnew(call)
      call.keyId = principal.keyId
      call.practiceId = principal.practice.id
      return fail(call, 'network_not_allowed')
    }
    call.keyId = outcome.keyId
    call.practiceId = outcome.practiceId
    call.claimedPrefix = outcome.claimedPrefix
    await fail(call, outcome.reason)
  }

  return { authenticate, authenticateAnew, confirm }
}

/**
 * A complete key that was valid once is no guess: a client with a revoked key always gets 401, but does not lock out its
 * neighbors behind the same address. The same applies to a valid key from a network that its owner has not listed.
 */
const isWholeKey = (reason: AuthenticationReason): boolean => wholeKeys.has(reason)

const wholeKeys: ReadonlySet<AuthenticationReason> = new Set([
  'key_revoked',
  'key_expired',
  'key_suspended',
  'access_stopped',
  'practice_suspended',
  'wrong_base',
  'network_not_allowed',
])

export type Authentication = ReturnType<typeof createAuthentication>

/** If the database does not respond, the log only gets the key's prefix. */
function loggedTo(call: Call, authorization: string | null) {
  return (thrown: unknown): never => {
    call.claimedPrefix = claimedPrefixIn(authorization)
    throw thrown
  }
}

const failureOf = (call: Call): Take => ({ window: 'restFailedAuthentication', subject: call.edge.ipSubject })

function tooManyFailures(retryAfterSeconds: number): Problem {
  return new Problem('rate_limited', {
    retryAfterSeconds,
    detail: 'too_many_failures' satisfies RefusalReason,
  })
}
