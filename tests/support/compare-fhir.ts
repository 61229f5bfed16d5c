/** How a resource differs from FHIR R4 and from the US Core 6.1.0 profiles that it claims. */
import { compareWithR4, type Difference } from './compare-r4.ts'
import { type Found, isThere, profiles, profilesOf, valuesAt } from './us-core-profiles.ts'

export function compareFhir(resource: Found): Difference[] {
  const at = resource.id === undefined ? resource.resourceType : `${resource.resourceType}/${resource.id}`
  const differences = compareWithR4(resource, at)
  const claimed = profilesOf(resource)
  const missing = profiles
    .filter(({ profile, resource: type }) => type === resource.resourceType && claimed.includes(profile))
    .flatMap(({ profile, mandatory, slices }) =>
      mandatory
        .filter((path) => !isThere(valuesAt(resource, path, slices)))
        .map(
          (path): Difference => ({
            kind: 'missing',
            path: `${at}.${path}`,
            message: `${profile} requires it.`,
          }),
        ),
    )
  const reported = new Set(differences.map(({ path }) => path))
  return [...differences, ...missing.filter(({ path }) => !reported.has(path))]
}
