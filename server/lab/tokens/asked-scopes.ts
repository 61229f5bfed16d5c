/** Scopes that somebody types for a token of the portal, read as the authorization server reads them. */
import { Problem } from '../../contract/http/problems.ts'
import { narrow, narrowToTypes } from '../../contract/smart/scope-narrowing.ts'
import { parseScopes, type Scope } from '../../contract/smart/scopes.ts'

/** @throws Problem `validation` of the field `scope`, saying which scope is not possible and why */
export function readAskedScopes(text: string): readonly Scope[] {
  const { scopes, refused } = parseScopes(text)
  const [first] = refused
  if (first) throw wrongScope(`${first.text}: ${first.reason}`)
  return scopes
}

/**
 * What is granted of it: within every bound, and of types that the practice lets out.
 * @throws Problem `validation` of the field `scope` when nothing is left
 */
export function boundScopes(
  asked: readonly Scope[],
  bounds: readonly (readonly Scope[])[],
  typesLetOut: readonly string[] | null,
): readonly Scope[] {
  const bounded = narrowToTypes(narrow(asked, ...bounds), typesLetOut)
  if (!bounded.some(({ kind }) => kind === 'resource'))
    throw wrongScope('Choose at least one scope that this practice allows.')
  return bounded
}

export function wrongScope(message: string): Problem {
  return new Problem('validation', { field: 'scope', message })
}
