/** Repeats a query when its practice moves to another dataset meanwhile. */
import { Problem, toProblem } from '../contract/http/problems.ts'

/** Practices rarely move. After this many attempts the request gets 503. */
const attemptsMax = 5

/**
 * Runs the query until its result says that the credential is valid. If it is not, the practice may have moved, so the
 * principal is read again before the next attempt.
 * @param renew throws if the credential is not valid
 * @throws Problem `unavailable` if the practice moves several times in a row
 */
export async function withLivenessRetry<Answer extends { readonly alive: boolean }>(
  call: { alive: boolean },
  query: () => Promise<Answer>,
  renew: () => Promise<void>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await query()
    call.alive = answer.alive
    if (answer.alive) return answer
    if (attempt === attemptsMax) {
      throw new Problem('unavailable', { detail: 'the practice is moving', retryAfterSeconds: 1 })
    }
    await renew()
  }
}

// The final response to a refused caller: a credential that is no longer valid gets 401, whatever the request was.

type RefusedCall = Readonly<{
  principal: object | null
  /** The database has confirmed during this request that the principal is valid. */
  alive: boolean
}>

/** @param confirm checks the call's credential in the database and throws if it is not valid */
export async function confirmBeforeRefusal<Call extends RefusedCall>(
  call: Call,
  problem: Problem,
  confirm: (call: Call) => Promise<void>,
): Promise<Problem> {
  if (problem.status >= 500 || call.principal === null || call.alive) return problem
  try {
    await confirm(call)
    return problem
  } catch (thrown) {
    return toProblem(thrown)
  }
}
