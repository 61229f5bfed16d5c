/**
 * The text of a resource as it is stored and served: one line, resourceType, id and meta first, no null,
 * and no origin or practice in it (decision 2).
 */

import { randomUUID } from 'node:crypto'
import { type FhirType, isFhirType } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import type { Resource } from './index-rows.ts'

/** https://hl7.org/fhir/R4/datatypes.html#id */
const idPattern = /^[A-Za-z0-9.-]{1,64}$/
/** The limit of one resource, in UTF-16 units; the interfaces' body limit is lower. */
const contentLengthMax = 2_000_000

export interface IdentifiedResource extends Resource {
  readonly resourceType: FhirType
  readonly id: string
}

/**
 * Checks that the type is in the registry and that the id follows FHIR's grammar.
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

// Numbers must not lose digits: 1.10 is more precise than 1.1, https://hl7.org/fhir/R4/datatypes.html#decimal. So
// `parseExact` turns a number that JavaScript would write differently into a string with a prefix, and
// `stringifyExact` turns that string back.

/** Random in each process, so that a string from outside cannot have it. */
const prefix = `\uE000${randomUUID()}:`
const prefixedNumber = new RegExp(`"${prefix}([^"]+)"`, 'g')

/**
 * Finds numbers that JavaScript may write differently: 1.10, 1.0, 1e3, more than 15 digits, -0, very small ones. Most
 * resources have none. A match inside a string costs time only.
 */
const inexactNumber =
  /(?:^|[:[,])\s*-?(?:[\d.]{16}|0\.0{6}|\d+\.\d*0(?=[\s,}\]]|$)|\d+(?:\.\d+)?[eE][+-]?\d|(?<=-)0(?![.\d]))/
const stringOrNumber = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** @throws SyntaxError if the text is not JSON */
export function parseExact(text: string): unknown {
  if (!inexactNumber.test(text)) return JSON.parse(text)
  return JSON.parse(
    text.replace(stringOrNumber, (part) =>
      part.startsWith('"') || String(Number(part)) === part || !isNumber(part) ? part : `"${prefix}${part}"`,
    ),
  )
}

export function stringifyExact(value: unknown): string {
  const text = JSON.stringify(value)
  return text.includes(prefix) ? text.replace(prefixedNumber, '$1') : text
}

/** False for 01 and the like, so that JSON.parse refuses them. */
const isNumber = (part: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.|[eE]|$)/.test(part)
