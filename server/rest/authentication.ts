/** The first two steps: the key, and how many wrong ones came from its address. One 401 for every cause. */
import { type ApiKeyAuth, type ApiKeyOutcome, claimedPrefixIn } from '../auth/api-key.ts'
import { isInNetworks } from '../auth/network-list.ts'
import { Problem } from '../contract/http/problems.ts'
import type { AuthenticationReason, RefusalReason } from '../contract/keys/refusal-reasons.ts'
import type { Limiter, Take } from '../limits/windows.ts'
import type { Call } from './call.ts'

type AuthenticationDependencies = { auth: ApiKeyAuth; limiter: Limiter }

export function createAuthentication({ auth, limiter }: AuthenticationDependencies) {
  /**
   * Every key is checked, also from an address that has used up its failures: a good key is served, whatever its
   * neighbours send.
   * @throws Problem `unauthorized`, or `rate_limited` for one failure too many
   */
  async function authenticate(call: Call): Promise<void> {
    const authorization = call.request.headers.get('authorization')
    await accept(
      call,
      await auth.authenticate(authorization, call.environment).catch(loggedTo(call, authorization)),
    )
  }

  /** The principal as the database has it now: its practice may have moved to another dataset. */
  async function authenticateAnew(call: Call): Promise<void> {
    call.principal = null
    const authorization = call.request.headers.get('authorization')
    await accept(call, await auth.authenticate(authorization, call.environment, { anew: true }))
  }

  /**
   * A refusal that comes before any data statement asks first, so that a dead key is always a 401.
   * @throws Problem as `authenticate`
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
      // The list may be another one by now: a refusal is the database's word, not a cache's.
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
 * Anyone who holds a whole key that was good once is not guessing: a client that has not heard of a revocation
 * gets its 401 every time, and does not lock out its neighbours behind the same address. The same holds for a
 * live key from a network that its owner has not listed.
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

/** The database did not answer: all that is known of the key is what it claims to be. */
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
