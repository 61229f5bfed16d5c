/**
 * The text of a resource as it is stored and served: one line, resourceType, id and meta first, no null,
 * nothing of origin or practice (decision 2).
 */
import type { FhirType } from '../contract/fhir/registry.ts'
import { isFhirType } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import { stringifyExact } from './exact-json.ts'
import type { Resource } from './index-rows.ts'

/** https://hl7.org/fhir/R4/datatypes.html#id */
const idPattern = /^[A-Za-z0-9.-]{1,64}$/
/** One resource, in UTF-16 units; the interfaces' body limit is lower. */
const contentLengthMax = 2_000_000

export interface IdentifiedResource extends Resource {
  readonly resourceType: FhirType
  readonly id: string
}

/**
 * Passes what may be stored: a type of the registry and an id by FHIR's grammar.
 * @throws Problem `validation`
 */
export function checkResource(resource: Resource): IdentifiedResource {
  const { resourceType, id } = resource
  if (typeof resourceType !== 'string' || !isFhirType(resourceType)) {
    throw new Problem('validation', {
      message: 'This resource type is not stored here.',
      field: 'resourceType',
    })
  }
  if (typeof id !== 'string' || !idPattern.test(id)) {
    throw new Problem('validation', {
      message: 'A resource id is 1 to 64 letters, digits, “-” and “.”.',
      field: 'id',
    })
  }
  return resource as IdentifiedResource
}

/** @param lastUpdated FHIR instant with milliseconds, the same value as the row's column. */
export function resourceText(resource: IdentifiedResource, version: number, lastUpdated: string): string {
  const { resourceType, id, meta, ...elements } = resource
  const text = stringifyExact({
    resourceType,
    id,
    meta: { ...meta, versionId: String(version), lastUpdated },
    ...elements,
  })
  if (text.length > contentLengthMax)
    throw new Problem('payload_too_large', { detail: `${resourceType} over 2 MB` })
  return text
}
