/** Decides what a token's scopes grant of a resource type, before the store is queried. */
import { type FhirType, registryRow } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import type { ResourceScope } from '../contract/smart/scopes.ts'
import type { Access, Grant } from '../search/access.ts'
import type { SmartPrincipal } from './principal.ts'

type Interaction = 'read' | 'search'

type Caller = Pick<SmartPrincipal, 'audience' | 'patientId' | 'scopes' | 'typesAllowed'>
type FhirUserCaller = Caller & Pick<SmartPrincipal, 'fhirUser' | 'readsFhirUser'>

/** @throws Problem `forbidden` if no scope grants the type, or the practice's policy does not allow it */
export function accessTo(principal: Caller, type: FhirType, interaction: Interaction): Access {
  const access = findAccess(principal, type, interaction)
  if (access !== null) return access
  throw new Problem('forbidden', {
    message: `This token does not allow ${interaction === 'read' ? 'reading' : 'searching'} ${type}.`,
    detail: `no scope for ${interaction} of ${type}`,
  })
}

/**
 * Like {@link accessTo}, for reading one resource: a token with the scope `fhirUser` may also read the resource of its
 * user, if the practice's policy allows the type.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/scopes-and-launch-context.html#scopes-for-requesting-identity-data
 */
export function accessToRead(principal: FhirUserCaller, type: FhirType, id: string): Access {
  const { fhirUser, readsFhirUser, typesAllowed } = principal
  const isOwn = readsFhirUser && fhirUser === `${type}/${id}`
  if (!isOwn || (typesAllowed !== null && !typesAllowed.includes(type)))
    return accessTo(principal, type, 'read')
  return { type, grants: [{ patientId: null, filter: null }], patientId: null, needsPatient: false }
}

/** @returns null if nothing of the type is granted */
export function findAccess(principal: Caller, type: FhirType, interaction: Interaction): Access | null {
  const { audience, compartment } = registryRow(type)
  if (audience !== undefined && audience !== principal.audience) return null
  if (principal.typesAllowed !== null && !principal.typesAllowed.includes(type)) return null
  const grants = principal.scopes
    .filter((scope) => covers(scope, type, interaction))
    .flatMap((scope) => grantOf(principal, scope, compartment !== null))
  if (grants.length === 0) return null
  const [first] = grants
  const confined = grants.every(({ patientId }) => patientId !== null && patientId === first?.patientId)
  return {
    type,
    grants,
    patientId: confined ? (first?.patientId ?? null) : null,
    needsPatient: compartment !== null && !confined,
  }
}

/** A scope with a filter that the type does not support grants nothing of it. */
function covers(scope: ResourceScope, type: FhirType, interaction: Interaction): boolean {
  if (scope.type !== '*' && scope.type !== type) return false
  if (!scope[interaction]) return false
  if (scope.filter === null) return true
  const { parameter } = scope.filter
  return registryRow(type).parameters.some(({ name, scopable }) => scopable === true && name === parameter)
}

/**
 * Limits a scope to a chart. The token of a patient only opens the patient's chart, whatever its scopes. `patient/` scopes
 * of a clinician open the chart of the launch's patient. Only backends may use `system/` scopes.
 */
function grantOf(principal: Caller, { context, filter }: ResourceScope, inChart: boolean): Grant[] {
  if ((context === 'system') !== (principal.audience === 'backend')) return []
  if (!inChart) return [{ patientId: null, filter }]
  if (context !== 'patient' && principal.audience !== 'patient') return [{ patientId: null, filter }]
  return principal.patientId === null ? [] : [{ patientId: principal.patientId, filter }]
}
