/**
 * What a US Core profile asks for, looked for in resources as a test suite that walks the profiles would look for it.
 * https://hl7.org/fhir/us/core/STU6.1/must-support.html
 */
import {
  type Found,
  isObject,
  lookedIn,
  type ProfileFacts,
  profilesOf,
  valuesAt,
} from './us-core-profiles.ts'

/** What a profile asks for and none of the resources has. */
export function missingFrom(
  profile: ProfileFacts,
  resources: readonly Found[],
  byAddress: ReadonlyMap<string, Found>,
): string[] {
  const mine = resources.filter(
    (each) => each.resourceType === profile.resource && profilesOf(each).includes(profile.profile),
  )
  const { at, hasElement, hasSlice, hasExtension, isExcused } = lookedIn(profile, mine)
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
    ...profile.mandatory.filter((path) => !hasElement(path)),
    ...profile.elements
      .filter(({ path, fixed }) => !hasElement(path, fixed) && !isExcused(path))
      .map(({ path }) => path),
    ...profile.elements.flatMap(({ path, targets = [] }) =>
      targets
        .filter((target) => !leadsTo(path, target) && !anyTargetDoes(path, target))
        .map((target) => `${path} → ${target}`),
    ),
    ...profile.slices
      .filter((slice) => slice.by.type !== 'type' && !hasSlice(slice))
      .map((slice) => `${slice.path}:${slice.name}`),
    ...profile.extensions
      .filter(({ path, url }) => !hasExtension(path, url))
      .map(({ name }) => `extension ${name}`),
  ]
}
