/** Access tokens that developers get in the portal, for a sandbox app of theirs and a person of their own sandbox. */
import type { Scope } from '../smart/scopes.ts'
import { labRoles } from './sandbox-changes.ts'

export const appTokenSeconds = 300

/** Of one organization. */
export const appTokensPerHour = 120

/** Who gets and ends them. */
export const appTokenRoles = labRoles

/** Why a token of the portal can't have a scope that the app may be registered for; undefined: it can. */
export function whyNotInPortal(scope: Scope): string | undefined {
  if (scope.kind === 'resource') return undefined
  const { name } = scope
  if (name === 'offline_access' || name === 'online_access')
    return `This token can’t be refreshed. Remove ${name}.`
  if (name === 'launch' || name === 'launch/encounter')
    return `Only a launch from a chart provides this. Remove ${name}.`
  return undefined
}
