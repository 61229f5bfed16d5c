/** What a caller may see of a type: `auth/access` grants it, and the compilers of this folder apply it. */
import { type FhirType, searchParameterNumbers } from '../contract/fhir/registry.ts'
import { typeCoverage } from '../contract/keys/class-coverage.ts'
import type { DataClass } from '../contract/keys/data-classes.ts'
import type { ScopeFilter } from '../contract/smart/scopes.ts'
import type { Criterion } from './plan.ts'

export interface Grant {
  /** The chart that it covers; null for the whole practice, and for types outside the compartment. */
  readonly patientId: string | null
  /** Covers only resources that match this parameter; null: all resources. */
  readonly filter: ScopeFilter | null
}

export interface Access {
  readonly type: FhirType
  /** A resource is visible if any of them covers it. Never empty. */
  readonly grants: readonly Grant[]
  /** The chart that every grant is limited to; null: at least one grant covers the whole practice. */
  readonly patientId: string | null
  /** The type belongs to charts, and the caller is not limited to one: a search must name the patient. */
  readonly needsPatient: boolean
}

/** Grants that cover resources of this chart, or, for null, resources of no chart. */
export const grantsFor = (access: Access, patientId: string | null): readonly Grant[] =>
  access.grants.filter((grant) => grant.patientId === null || grant.patientId === patientId)

/**
 * Resources must match any of these filters; null: at least one grant has no filter, so all resources match.
 * @param grants not empty
 */
export function filtersOf(grants: readonly Grant[]): readonly ScopeFilter[] | null {
  const filters = grants.flatMap(({ filter }) => filter ?? [])
  return filters.length < grants.length ? null : filters
}

// Criteria for a narrowed key. They are part of the statement, so that totals and pages leave hidden resources out.

/**
 * Matches the resources for which the key has every class of `classesOf`.
 * @param classes the key's classes; null if it is not narrowed
 * @returns null if the key may read nothing of the type
 */
export function criteriaOfClasses(type: FhirType, classes: readonly DataClass[] | null): Criterion[] | null {
  if (classes === null) return []
  const parts = typeCoverage[type]
  if (parts === undefined) return []
  const isAllowed = ({ dataClass }: { dataClass: DataClass }) => classes.includes(dataClass)
  const allowed = parts.filter(isAllowed)
  if (allowed.length === 0) return null
  const hidden = codesOf(parts.filter((part) => !isAllowed(part)))
  const allHaveCategories = allowed.every(({ categories }) => categories !== undefined)
  return [
    ...(allHaveCategories ? [categories(codesOf(allowed), false)] : []),
    ...(hidden.length > 0 ? [categories(hidden, true)] : []),
    ...(classes.includes('specially_protected') ? [] : [{ kind: 'unprotected' } as const]),
  ]
}

const codesOf = (parts: readonly { categories?: readonly string[] }[]): string[] =>
  parts.flatMap(({ categories = [] }) => categories)

function categories(codes: readonly string[], negated: boolean): Criterion {
  return {
    kind: 'tokens',
    parameter: searchParameterNumbers.category,
    values: codes.map((code) => ({ system: null, code })),
    negated,
    exact: false,
  }
}
