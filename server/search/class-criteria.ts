/** The part of a search that a narrowed key may see, as criteria of its statement: totals and pages are without the rest. */

import type { FhirType } from '../contract/fhir/registry.ts'
import { searchParameterNumbers } from '../contract/fhir/registry.ts'
import { typeCoverage } from '../contract/keys/class-coverage.ts'
import type { DataClass } from '../contract/keys/data-classes.ts'
import type { Criterion } from './plan.ts'

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
