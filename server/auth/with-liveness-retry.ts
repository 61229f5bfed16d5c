/** A question to the data of a practice that may move to other data at any moment. */
import { Problem } from '../contract/http/problems.ts'

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
  for (let asked = 1; ; asked += 1) {
    const answer = await question()
    call.alive = answer.alive
    if (answer.alive) return answer
    if (asked === questionsMax) {
      throw new Problem('unavailable', { detail: 'the practice is moving', retryAfterSeconds: 1 })
    }
    await renew()
  }
}
