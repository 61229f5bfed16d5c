/**
 * Compares a FHIR response with R4 and US Core 6.1.0: each resource by itself, and the must-support elements of each
 * profile counted over all resources that claim it.
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
  /** Must-support elements of the profile; `present` counts the resources that have it. */
  readonly elements: readonly { readonly name: string; readonly present: number }[]
}

export type FhirComparison = NonNullable<ReturnType<typeof compareFhir>>

const differencesMax = 50

/** @param body the parsed response. @returns null if it is not a FHIR resource */
export function compareFhir(body: unknown) {
  if (!isResource(body)) return null
  const isBundle = body.resourceType === 'Bundle'
  const inside = isBundle ? entriesOf(body) : []
  const entries = new Set<unknown>(inside)
  const bundle = isBundle ? compareWithR4(body, 'Bundle', (value) => entries.has(value)) : null
  const compared = (isBundle ? inside : [body]).map(compareOne)
  const differences = [...(bundle?.differences ?? []), ...compared.flatMap((each) => each.differences)]
  return {
    /** Number of compared resources, without a Bundle around them. */
    resources: compared.length,
    /** Number of resources that match R4 and their profiles. */
    asSaid: compared.filter((each) => each.differences.length === 0).length,
    /** Number of values that match R4. */
    matched: compared.reduce((sum, { matched }) => sum + matched, bundle?.matched ?? 0),
    differences: differences.slice(0, differencesMax),
    /** Sorted by name. */
    profiles: countProfiles(isBundle ? inside : [body]),
  }
}

function compareOne(resource: Found) {
  const at = resource.id === undefined ? resource.resourceType : `${resource.resourceType}/${resource.id}`
  const { matched, differences } = compareWithR4(resource, at)
  const missing = usCoreProfilesOf(resource).flatMap((profile) => missingOf(profile, resource, at))
  const reported = new Set(differences.map(({ path }) => path))
  return { matched, differences: [...differences, ...missing.filter(({ path }) => !reported.has(path))] }
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
    .map(([profile, { resources: count, elements }]) => ({
      profile,
      resources: count,
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

function usCoreProfilesOf(resource: Found): readonly ProfileFacts[] {
  return profilesOf(resource).flatMap((name) => {
    const profile = name === undefined ? undefined : byName.get(name)
    return profile?.resource === resource.resourceType ? [profile] : []
  })
}

/** @param at the beginning of each path: `Patient/x` */
function missingOf(profile: ProfileFacts, resource: Found, at: string): Difference[] {
  return profile.mandatory
    .filter((path) => !isThere(valuesAt(resource, path, profile.slices)))
    .map((path) => ({ kind: 'missing', path: `${at}.${path}`, message: `${profile.profile} requires it.` }))
}

/** Names must-support elements, slices and extensions as the profile does, and says which the resource has. */
function mustSupportOf(profile: ProfileFacts, resource: Found) {
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
