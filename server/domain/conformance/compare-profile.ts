/** A resource beside its US Core profile: what is required and missing, and which must-support elements are there. */
import type { Difference } from '../../contract/schema-comparison.ts'
import {
  belongs,
  type Found,
  isObject,
  isThere,
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
  const at = (path: string) => valuesAt(resource, path, profile.slices)
  const hasElement = (path: string, fixed?: string) => isThere(at(path), fixed)
  const hasExtension = (path: string, url: string) =>
    at(path).some((extension) => isObject(extension) && extension.url === url)
  // Of a group of which one suffices, one is enough.
  const excused = (path: string) =>
    profile.choices.some(
      ({ paths = [], extensions = [] }) =>
        paths.includes(path) &&
        (paths.some((other) => hasElement(other)) ||
          profile.extensions.some(
            (each) => extensions.includes(each.name) && hasExtension(each.path, each.url),
          )),
    )
  return [
    ...profile.elements.map(({ path, fixed }) => ({
      name: path,
      present: hasElement(path, fixed) || excused(path),
    })),
    ...profile.slices
      .filter(({ by }) => by.type !== 'type')
      .map((slice) => ({
        name: `${slice.path}:${slice.name}`,
        present: at(slice.path).some((value) => belongs(value, slice)),
      })),
    ...profile.extensions.map(({ name, path, url }) => ({ name, present: hasExtension(path, url) })),
  ]
}
