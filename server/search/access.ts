/** What a caller may see of a type, as `auth/access` grants it and the compilers of this folder carry it out. */
import { type FhirType, searchParameterNumbers } from '../contract/fhir/registry.ts'
import { typeCoverage } from '../contract/keys/class-coverage.ts'
import type { DataClass } from '../contract/keys/data-classes.ts'
import type { ScopeFilter } from '../contract/smart/scopes.ts'
import type { Criterion } from './plan.ts'

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

// The part of a search that a narrowed key may see, as criteria of its statement: totals and pages are without the rest.

/**
 * The same resources as those whose `classesOf` the key has all.
 * @param classes of the key; null: not narrowed
 * @returns null when the key sees nothing of the type
 */
export function criteriaOfClasses(type: FhirType, classes: readonly DataClass[] | null): Criterion[] | null {
  if (classes === null) return []
  const parts = typeCoverage[type]
  if (parts === undefined) return []
  const isAllowed = ({ dataClass }: { dataClass: DataClass }) => classes.includes(dataClass)
  const allowed = parts.filter(isAllowed)
  if (allowed.length === 0) return null
  const hidden = codesOf(parts.filter((part) => !isAllowed(part)))
  const isOnlyNamed = allowed.every(({ categories }) => categories !== undefined)
  return [
    ...(isOnlyNamed ? [categories(codesOf(allowed), false)] : []),
    ...(hidden.length > 0 ? [categories(hidden, true)] : []),
    ...(classes.includes('specially_protected') ? [] : [{ kind: 'unprotected' } as const]),
  ]
}

function codesOf(parts: readonly { categories?: readonly string[] }[]): string[] {
  return parts.flatMap(({ categories = [] }) => categories)
}

function categories(codes: readonly string[], negated: boolean): Criterion {
  return {
    kind: 'tokens',
    parameter: searchParameterNumbers.category,
    values: codes.map((code) => ({ system: null, code })),
    negated,
    exact: false,
  }
}
