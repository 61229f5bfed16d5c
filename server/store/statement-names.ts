/** Names of prepared statements whose text depends on the request: bounded, as each connection keeps what it prepared. */
import { createHash } from 'node:crypto'

/** More than all the searches that US Core names; callers make up the rest. */
const namesMax = 400
/** A shape that comes once or twice is not worth keeping. */
const usesBefore = 2
const candidatesMax = 4_000

interface NamedText {
  /** '' for a statement that is parsed and forgotten. */
  readonly name: string
  readonly text: string
}

/**
 * @param owner begins each name
 * @returns gives the name to prepare a shape's statement under, or none: the first times a shape is seen, and every
 * time once there are as many names as there may be. Of a named one the text is always the same object, which the
 * driver compares at no cost.
 */
export function createStatementNames(owner = 'fhir'): (shape: string, text: string) => NamedText {
  const named = new Map<string, NamedText>()
  const uses = new Map<string, number>()

  return (shape, text) => {
    const known = named.get(shape)
    if (known !== undefined) return known
    if (named.size >= namesMax) return { name: '', text }
    const used = (uses.get(shape) ?? 0) + 1
    if (used <= usesBefore) {
      if (uses.size >= candidatesMax) uses.clear()
      uses.set(shape, used)
      return { name: '', text }
    }
    uses.delete(shape)
    const name = `${owner}:${createHash('sha256').update(shape).digest('base64url').slice(0, 24)}`
    const statement = { name, text }
    named.set(shape, statement)
    return statement
  }
}
