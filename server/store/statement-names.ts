/** Names of prepared statements whose text depends on the request: bounded, as each connection keeps what it prepared. */
import { createHash } from 'node:crypto'

/** More than all the searches that US Core names; callers make up the rest. */
const namesMax = 400
/** A shape that comes once or twice is not worth keeping. */
const usesBefore = 2
const candidatesMax = 4_000

/**
 * @returns gives the name to prepare a shape's statement under, or '' for one that is parsed and forgotten: the
 * first times a shape is seen, and every time once there are as many names as there may be
 */
export function createStatementNames(): (shape: string) => string {
  const named = new Map<string, string>()
  const uses = new Map<string, number>()

  return (shape) => {
    const known = named.get(shape)
    if (known !== undefined) return known
    if (named.size >= namesMax) return ''
    const used = (uses.get(shape) ?? 0) + 1
    if (used <= usesBefore) {
      if (uses.size >= candidatesMax) uses.clear()
      uses.set(shape, used)
      return ''
    }
    uses.delete(shape)
    const name = `fhir:${createHash('sha256').update(shape).digest('base64url').slice(0, 24)}`
    named.set(shape, name)
    return name
  }
}
