/** Names prepared statements whose SQL depends on the request. Their number is limited: each connection stores them. */
import { createHash } from 'node:crypto'

/** More than the searches of US Core need. Callers can send any number of other searches. */
const namesMax = 400
/** A shape gets a name after this many uses. */
const usesBefore = 2
const candidatesMax = 4_000

interface NamedText {
  /** '' for a statement that is not prepared. */
  readonly name: string
  readonly text: string
}

/**
 * @param owner the prefix of all names
 * @returns a function that names the statement of a shape, except for its first uses and after all names are taken. A named
 * statement always has the same string object as its text, so that the driver's comparison is fast.
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
