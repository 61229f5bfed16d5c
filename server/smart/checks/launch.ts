/**
 * Checks that a `launch` parameter comes with the scope `launch`. Whether the launch is valid is checked when it is used.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/app-launch.html#launch-app-ehr-launch
 */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import type { AuthorizeCheck } from './authorize-check.ts'

export const checkLaunch: AuthorizeCheck = ({ parameters, scopes }) => {
  if (!parameters.has('launch')) return
  const hasScope = scopes.some((scope) => scope.kind === 'launch' && scope.name === 'launch')
  if (!hasScope) throw refuse('launch_without_scope')
}
