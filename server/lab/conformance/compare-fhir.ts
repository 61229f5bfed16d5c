/**
 * A whole answer of FHIR beside what R4 and US Core 6.1.0 say: every resource by itself, and the must-support elements
 * of each profile counted over all resources that have it.
 */
import type { Difference } from '../../contract/rest/schema-comparison.ts'
import { compareWithR4 } from './compare-r4.ts'
import {
  type Found,
  isThere,
  lookedIn,
  type ProfileFacts,
  profiles,
  profilesOf,
  valuesAt,
} from './profiles.ts'

export interface ProfileCount {
  readonly profile: string
  readonly resources: number
  /** Must-support elements of the profile; `present`: in how many of the resources each is. */
  readonly elements: readonly { readonly name: string; readonly present: number }[]
}

export interface FhirComparison {
  /** Resources that were looked at, without a Bundle around them. */
  readonly resources: number
  /** Those of them that are as R4 and their profiles say. */
  readonly asSaid: number
  /** Values that are as R4 says. */
  readonly matched: number
  readonly differences: readonly Difference[]
  /** In the order of their names. */
  readonly profiles: readonly ProfileCount[]
}

const differencesMax = 50

/** @param body as it was answered, parsed; null for what is no FHIR resource */
export function compareFhir(body: unknown): FhirComparison | null {
  if (!isResource(body)) return null
  const isBundle = body.resourceType === 'Bundle'
  const inside = isBundle ? entriesOf(body) : []
  const entries = new Set<unknown>(inside)
  const around = isBundle ? compareWithR4(body, 'Bundle', (value) => entries.has(value)) : null
  const compared = (isBundle ? inside : [body]).map(compareOne)
  const differences = [...(around?.differences ?? []), ...compared.flatMap((each) => each.differences)]
  return {
    resources: compared.length,
    asSaid: compared.filter((each) => each.differences.length === 0).length,
    matched: compared.reduce((sum, { matched }) => sum + matched, around?.matched ?? 0),
    differences: differences.slice(0, differencesMax),
    profiles: countProfiles(isBundle ? inside : [body]),
  }
}

function compareOne(resource: Found) {
  const at = resource.id === undefined ? resource.resourceType : `${resource.resourceType}/${resource.id}`
  const { matched, differences } = compareWithR4(resource, at)
  const missing = usCoreProfilesOf(resource).flatMap((profile) => missingOf(profile, resource, at))
  const said = new Set(differences.map(({ path }) => path))
  return { matched, differences: [...differences, ...missing.filter(({ path }) => !said.has(path))] }
}

function countProfiles(resources: readonly Found[]): ProfileCount[] {
  const counts = new Map<string, { resources: number; elements: Map<string, number> }>()
  for (const resource of resources)
    for (const profile of usCoreProfilesOf(resource)) {
      const count = counts.get(profile.profile) ?? { resources: 0, elements: new Map() }
      counts.set(profile.profile, count)
      count.resources += 1
      for (const { name, present } of mustSupportOf(profile, resource))
        count.elements.set(name, (count.elements.get(name) ?? 0) + (present ? 1 : 0))
    }
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([profile, { resources: number, elements }]) => ({
      profile,
      resources: number,
      elements: [...elements].map(([name, present]) => ({ name, present })),
    }))
}

function entriesOf(bundle: Found): Found[] {
  const { entry } = bundle
  if (!Array.isArray(entry)) return []
  return entry.flatMap((each: unknown) => {
    const resource = typeof each === 'object' && each !== null && 'resource' in each ? each.resource : null
    return isResource(resource) ? [resource] : []
  })
}

function isResource(value: unknown): value is Found {
  return (
    typeof value === 'object' &&
    value !== null &&
    'resourceType' in value &&
    typeof value.resourceType === 'string'
  )
}

const byName = new Map(profiles.map((each) => [each.profile, each]))

/** Those of its profiles that are of US Core. */
function usCoreProfilesOf(resource: Found): readonly ProfileFacts[] {
  return profilesOf(resource).flatMap((name) => {
    const profile = name === undefined ? undefined : byName.get(name)
    return profile?.resource === resource.resourceType ? [profile] : []
  })
}

/** @param at what paths begin with: `Patient/x` */
function missingOf(profile: ProfileFacts, resource: Found, at: string): Difference[] {
  return profile.mandatory
    .filter((path) => !isThere(valuesAt(resource, path, profile.slices)))
    .map((path) => ({ kind: 'missing', path: `${at}.${path}`, message: `${profile.profile} requires it.` }))
}

/** Must-support elements, slices and extensions of a profile, as they are called there, and which of them are there. */
function mustSupportOf(
  profile: ProfileFacts,
  resource: Found,
): readonly { readonly name: string; readonly present: boolean }[] {
  const { hasElement, hasSlice, hasExtension, isExcused } = lookedIn(profile, [resource])
  return [
    ...profile.elements.map(({ path, fixed }) => ({
      name: path,
      present: hasElement(path, fixed) || isExcused(path),
    })),
    ...profile.slices
      .filter(({ by }) => by.type !== 'type')
      .map((slice) => ({
        name: `${slice.path}:${slice.name}`,
        present: hasSlice(slice),
      })),
    ...profile.extensions.map(({ name, path, url }) => ({ name, present: hasExtension(path, url) })),
  ]
}
