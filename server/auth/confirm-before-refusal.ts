/** What a refused caller is answered in the end: one whose credential is dead gets its 401, whatever it asked. */
import { type Problem, toProblem } from '../contract/http/problems.ts'

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
