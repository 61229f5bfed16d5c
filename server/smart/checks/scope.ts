/**
 * Limits the scopes to those that are requested, registered and allowed by the practice, and refuses the request if none is
 * left. RFC 6749 allows that; the token response names the granted scopes.
 * https://www.rfc-editor.org/rfc/rfc6749#section-3.3
 */

import { isProblem } from '../../contract/http/problems.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { narrow, narrowToTypes } from '../../contract/smart/scope-narrowing.ts'
import { type ParsedScopes, parseScopes, readScopes } from '../../contract/smart/scopes.ts'
import { typesLetOut } from '../../domain/practices/fhir-access.ts'
import { type AuthorizeCheck, clientOf } from './authorize-check.ts'

export const checkScope: AuthorizeCheck = (context) => {
  const { scopes } = parse(context.parameters.get('scope'))
  const isSystem = scopes.some((scope) => scope.kind === 'resource' && scope.context === 'system')
  if (isSystem) throw refuse('scope_system')
  const registered = narrow(scopes, readScopes(clientOf(context).scope))
  const offered = narrowToTypes(registered, typesLetOut(context.practice)).filter(
    (scope) => scope.kind === 'resource' || scope.name !== 'launch' || context.parameters.has('launch'),
  )
  const isUseful = offered.some((scope) => scope.kind === 'resource' || scope.name === 'openid')
  if (!isUseful) throw refuse('scope_nothing')
  context.scopes = offered
}

function parse(text: string | undefined): ParsedScopes {
  if (text === undefined) throw refuse('scope_malformed')
  try {
    return parseScopes(text)
  } catch (error) {
    throw isProblem(error) ? refuse('scope_malformed') : error
  }
}
