/** What scopes a token of the explorer is asked for with. */
import { formatScopes, readScopes, type Scope } from '../../contract/smart/scopes.ts'
import { boundScopes, readAskedScopes, wrongScope } from '../tokens/asked-scopes.ts'
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
    throw wrongScope(`The scopes are longer than ${explorerScopeMax} characters.`)
  const asked = readAskedScopes(text)
  const context = kind === 'patient' ? 'patient' : 'user'
  const other = asked.find((scope) => scope.kind === 'launch' || scope.context !== context)
  if (other) throw wrongScope(`A ${kind}’s token reads records only. Its scopes start with ${context}/ here.`)
  const scopes = boundScopes(asked, [readScopes(explorerClients[kind].scope)], typesLetOut)
  return { scopes, text: formatScopes(scopes) }
}
