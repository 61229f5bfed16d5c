/**
 * What a US Core profile asks for, looked for in resources as a test suite that walks the profiles would look for it.
 * https://hl7.org/fhir/us/core/STU6.1/must-support.html
 */
import { type FhirType, fhirRegistry } from '../../server/contract/fhir-registry.ts'
import profileFacts from '../conformance/facts/us-core-must-support.json' with { type: 'json' }

interface Slice {
  readonly name: string
  readonly path: string
  readonly by: {
    readonly type: string
    readonly path?: string
    readonly code?: string
    readonly system?: string
    readonly values?: readonly { path?: string; value?: string; system?: string; code?: string }[]
  }
}

export interface ProfileFacts {
  readonly resource: string
  readonly profile: string
  readonly mandatory: readonly string[]
  readonly elements: readonly { path: string; fixed?: string; targets?: readonly string[] }[]
  readonly slices: readonly Slice[]
  readonly extensions: readonly { name: string; path: string; url: string }[]
  readonly choices: readonly {
    paths?: readonly string[]
    extensions?: readonly string[]
    targets?: readonly string[]
  }[]
}

export const profiles = profileFacts as readonly ProfileFacts[]

/** A resource as whoever gets it reads it. */
export type Found = Readonly<Record<string, unknown>> & { readonly resourceType: string; readonly id: string }

/** Those it claims; a type whose resources claim none has but one. */
export const profilesOf = (resource: Found) =>
  (
    (resource.meta as { profile?: string[] } | undefined)?.profile ??
    fhirRegistry[resource.resourceType as FhirType]?.profiles ??
    []
  ).map((url) => url.split('/').pop())

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
const list = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

/** Values at a path such as `component:systolic.valueQuantity.code` or `value[x]`. */
export function valuesAt(root: unknown, path: string, slices: readonly Slice[], walked = ''): unknown[] {
  const [head = '', ...rest] = path.split('.')
  const [name = '', sliceName] = head.split(':')
  const here = walked === '' ? name : `${walked}.${name}`
  const found = childrenNamed(root, name).filter((value) => {
    if (sliceName === undefined) return true
    const slice = slices.find((each) => each.name === sliceName)
    return slice === undefined || belongs(value, slice)
  })
  if (rest.length === 0) return found
  return found.flatMap((value) => valuesAt(value, rest.join('.'), slices, here))
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

function isThere(values: readonly unknown[], fixed?: string): boolean {
  return values.some((value) => (fixed === undefined ? value !== undefined : value === fixed))
}

/** What a profile asks for and none of the resources has. */
export function missingFrom(
  profile: ProfileFacts,
  resources: readonly Found[],
  byAddress: ReadonlyMap<string, Found>,
): string[] {
  const mine = resources.filter(
    (each) => each.resourceType === profile.resource && profilesOf(each).includes(profile.profile),
  )
  const at = (path: string) => mine.flatMap((each) => valuesAt(each, path, profile.slices))
  const has = (path: string, fixed?: string) => isThere(at(path), fixed)
  const hasExtension = (path: string, url: string) =>
    at(path).some((extension) => isObject(extension) && extension.url === url)
  const excused = (path: string) =>
    profile.choices.some(
      ({ paths = [], extensions = [] }) =>
        paths.includes(path) &&
        (paths.some((other) => has(other)) ||
          profile.extensions.some(
            (each) => extensions.includes(each.name) && hasExtension(each.path, each.url),
          )),
    )
  const leadsTo = (path: string, target: string) =>
    at(path).some(
      (reference) =>
        isObject(reference) &&
        typeof reference.reference === 'string' &&
        profilesOf(byAddress.get(reference.reference) ?? ({} as Found)).includes(target),
    )
  const anyTargetDoes = (path: string, target: string) =>
    profile.choices.some(
      ({ targets = [] }) => targets.includes(target) && targets.some((other) => leadsTo(path, other)),
    )
  return [
    ...(mine.length === 0 ? ['no resource at all'] : []),
    ...mine.flatMap((each) =>
      profile.mandatory
        .filter((path) => !path.includes('.') && valuesAt(each, path, profile.slices).length === 0)
        .map((path) => `${each.id}: ${path}`),
    ),
    ...profile.mandatory.filter((path) => !has(path)),
    ...profile.elements
      .filter(({ path, fixed }) => !has(path, fixed) && !excused(path))
      .map(({ path }) => path),
    ...profile.elements.flatMap(({ path, targets = [] }) =>
      targets
        .filter((target) => !leadsTo(path, target) && !anyTargetDoes(path, target))
        .map((target) => `${path} → ${target}`),
    ),
    ...profile.slices
      .filter((slice) => slice.by.type !== 'type' && !at(slice.path).some((value) => belongs(value, slice)))
      .map((slice) => `${slice.path}:${slice.name}`),
    ...profile.extensions
      .filter(({ path, url }) => !hasExtension(path, url))
      .map(({ name }) => `extension ${name}`),
  ]
}
