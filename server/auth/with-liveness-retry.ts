/** A question to the data of a practice that may move to other data at any moment. */
import { Problem, toProblem } from '../contract/http/problems.ts'

/** A practice moves once in a while; a request that meets so many moves is asked to come again. */
const questionsMax = 5

/**
 * Asks until the answer says that the credential is good. When it says no the practice may have moved, so the
 * principal is read again and the question asked once more.
 * @param renew throws when the credential is dead
 * @throws Problem `unavailable` when the practice moves again and again
 */
export async function withLivenessRetry<Answer extends { readonly alive: boolean }>(
  call: { alive: boolean },
  question: () => Promise<Answer>,
  renew: () => Promise<void>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await question()
    call.alive = answer.alive
    if (answer.alive) return answer
    if (attempt === questionsMax) {
      throw new Problem('unavailable', { detail: 'the practice is moving', retryAfterSeconds: 1 })
    }
    await renew()
  }
}

// The final response to a refused caller: a credential that is no longer valid gets 401, whatever the request was.

type RefusedCall = Readonly<{
  principal: object | null
  /** The database has said during this request that the principal is good. */
  alive: boolean
}>

/** @param confirm asks the database about the credential of the call, and throws when it is dead */
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
