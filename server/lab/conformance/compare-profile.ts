/** A resource beside its US Core profile: what is required and missing, and which must-support elements are there. */
import type { Difference } from '../../contract/rest/schema-comparison.ts'
import {
  type Found,
  isThere,
  lookedIn,
  type ProfileFacts,
  profiles,
  profilesOf,
  valuesAt,
} from './profiles.ts'

const byName = new Map(profiles.map((each) => [each.profile, each]))

/** Those of its profiles that are of US Core. */
export function usCoreProfilesOf(resource: Found): readonly ProfileFacts[] {
  return profilesOf(resource).flatMap((name) => {
    const profile = name === undefined ? undefined : byName.get(name)
    return profile?.resource === resource.resourceType ? [profile] : []
  })
}

/** @param at what paths begin with: `Patient/x` */
export function missingOf(profile: ProfileFacts, resource: Found, at: string): Difference[] {
  return profile.mandatory
    .filter((path) => !isThere(valuesAt(resource, path, profile.slices)))
    .map((path) => ({ kind: 'missing', path: `${at}.${path}`, message: `${profile.profile} requires it.` }))
}

/** Must-support elements, slices and extensions of a profile, as they are called there, and which of them are there. */
export function mustSupportOf(
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
