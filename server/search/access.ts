/** What a caller may see of a type, as `auth/access` grants it and the compilers of this folder carry it out. */
import type { FhirType } from '../contract/fhir/registry.ts'
import type { ScopeFilter } from '../contract/smart/scopes.ts'

export interface Grant {
  /** The one chart it is about; null: the whole practice. Always null for types outside the compartment. */
  readonly patientId: string | null
  /** Only what this one parameter matches; null: all. */
  readonly filter: ScopeFilter | null
}

export interface Access {
  readonly type: FhirType
  /** Any of them lets a resource through; never empty. */
  readonly grants: readonly Grant[]
  /** The chart that every grant is confined to; null: at least one is good for the whole practice. */
  readonly patientId: string | null
  /** The type belongs to charts, and the caller is not limited to one: a search must name the patient. */
  readonly needsPatient: boolean
}

/** Grants that hold for resources of this chart; of no chart where it is null. */
export function grantsFor(access: Access, patientId: string | null): readonly Grant[] {
  return access.grants.filter((grant) => grant.patientId === null || grant.patientId === patientId)
}

/**
 * What resources must match, any of it; null: nothing, for at least one grant has no filter.
 * @param grants not empty
 */
export function filtersOf(grants: readonly Grant[]): readonly ScopeFilter[] | null {
  const filters = grants.flatMap(({ filter }) => filter ?? [])
  return filters.length < grants.length ? null : filters
}
