/** What scopes a token of the explorer is asked for with, read as the authorization server reads them. */
import { Problem } from '../../contract/http/problems.ts'
import { narrow, narrowToTypes } from '../../contract/smart/scope-narrowing.ts'
import { formatScopes, parseScopes, readScopes, type Scope } from '../../contract/smart/scopes.ts'
import { type ExplorerPerson, explorerClients } from './explorer-token-people.ts'

/** Longer lists than that are for apps. */
const explorerScopeMax = 1_000

/** @throws Problem `validation` of the field `scope`, saying which scope is not possible and why */
export function decideScopes(
  text: string,
  { kind }: ExplorerPerson,
  typesLetOut: readonly string[] | null,
): { scopes: readonly Scope[]; text: string } {
  if (text.length > explorerScopeMax)
    throw wrong(`The scopes are longer than ${explorerScopeMax} characters.`)
  const { scopes, refused } = parseScopes(text)
  const [first] = refused
  if (first) throw wrong(`${first.text}: ${first.reason}`)
  const context = kind === 'patient' ? 'patient' : 'user'
  const other = scopes.find((scope) => scope.kind === 'launch' || scope.context !== context)
  if (other)
    throw wrong(`The token of a ${kind} is about records alone: its scopes begin with ${context}/ here.`)
  const decided = narrowToTypes(narrow(scopes, readScopes(explorerClients[kind].scope)), typesLetOut)
  if (decided.length === 0) throw wrong('Choose at least one scope that this practice lets out.')
  return { scopes: decided, text: formatScopes(decided) }
}

function wrong(message: string): Problem {
  return new Problem('validation', { field: 'scope', message })
}
