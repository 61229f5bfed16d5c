/**
 * What the profiles of US Core 6.1.0 ask for, and where in a resource it lies.
 * https://hl7.org/fhir/us/core/STU6.1/must-support.html
 */

import type { ProfileFacts, Slice } from '../../server/contract/fhir/must-support.ts'
import { type FhirType, fhirRegistry } from '../../server/contract/fhir/registry.ts'

export { type ProfileFacts, profiles } from '../../server/contract/fhir/must-support.ts'

/** A resource as a client reads it. */
export type Found = Readonly<Record<string, unknown>> & { readonly resourceType: string; readonly id: string }

/**
 * Names of those it claims, without the version that a claim may name; a type whose resources claim none has but one.
 * https://hl7.org/fhir/R4/references.html#canonical
 */
export function profilesOf(resource: Found): readonly (string | undefined)[] {
  const claimed = (resource.meta as { profile?: unknown } | null | undefined)?.profile
  const row = fhirRegistry[resource.resourceType as FhirType]
  const urls: readonly unknown[] = Array.isArray(claimed) ? claimed : (row?.profiles ?? [])
  return urls.flatMap((url) => (typeof url === 'string' ? [url.split('|')[0]?.split('/').pop()] : []))
}

type Json = Record<string, unknown>
export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
const list = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

/** Values at a path such as `component:systolic.valueQuantity.code` or `value[x]`. */
export function valuesAt(root: unknown, path: string, slices: readonly Slice[]): unknown[] {
  const [head = '', ...rest] = path.split('.')
  const [name = '', sliceName] = head.split(':')
  const found = childrenNamed(root, name).filter((value) => {
    if (sliceName === undefined) return true
    const slice = slices.find((each) => each.name === sliceName)
    return slice === undefined || belongs(value, slice)
  })
  if (rest.length === 0) return found
  return found.flatMap((value) => valuesAt(value, rest.join('.'), slices))
}

function childrenNamed(value: unknown, name: string): unknown[] {
  if (!isObject(value)) return []
  if (name.endsWith('[x]')) {
    const stem = name.slice(0, -3)
    return Object.entries(value).flatMap(([key, child]) =>
      key.startsWith(stem) && /^[A-Z]/.test(key.slice(stem.length)) ? list(child) : [],
    )
  }
  // The extensions of a primitive lie beside it, under its name with an underscore.
  if (name === 'extension') return list(value.extension)
  const beside = list(value[`_${name}`])
  return [...list(value[name]), ...beside]
}

function belongs(value: unknown, { by }: Slice): boolean {
  const codings = (each: unknown): Json[] =>
    isObject(each) ? (list(each.coding ?? each) as unknown[]).filter(isObject) : []
  const at = by.path ? valuesAt(value, by.path, []) : [value]
  switch (by.type) {
    case 'patternCodeableConcept':
    case 'patternCoding':
      return at.some((each) =>
        codings(each).some((coding) => coding.code === by.code && coding.system === by.system),
      )
    case 'patternIdentifier':
      return at.some((each) => isObject(each) && each.system === by.system)
    case 'requiredBinding':
      return at.some((each) =>
        codings(each).some((coding) =>
          by.values?.some((allowed) => allowed.code === coding.code && allowed.system === coding.system),
        ),
      )
    case 'value':
      return (by.values ?? []).every((wanted) =>
        valuesAt(value, wanted.path ?? '', []).some((each) => each === wanted.value),
      )
    default:
      return true
  }
}

export function isThere(values: readonly unknown[], fixed?: string): boolean {
  return values.some((value) => (fixed === undefined ? value !== undefined : value === fixed))
}

/** What of a profile is in these resources, taken together. */
export function lookedIn(profile: ProfileFacts, resources: readonly Found[]) {
  const at = (path: string) => resources.flatMap((each) => valuesAt(each, path, profile.slices))
  const hasElement = (path: string, fixed?: string) => isThere(at(path), fixed)
  const hasSlice = (slice: Slice) => at(slice.path).some((value) => belongs(value, slice))
  const hasExtension = (path: string, url: string) =>
    at(path).some((extension) => isObject(extension) && extension.url === url)
  /** Of a group of which one suffices, one is enough. */
  const isExcused = (path: string) =>
    profile.choices.some(
      ({ paths = [], extensions = [] }) =>
        paths.includes(path) &&
        (paths.some((other) => hasElement(other)) ||
          profile.extensions.some(
            (each) => extensions.includes(each.name) && hasExtension(each.path, each.url),
          )),
    )
  return { at, hasElement, hasSlice, hasExtension, isExcused }
}
