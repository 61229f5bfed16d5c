/**
 * The text of a resource as it is stored and served: one line, resourceType, id and meta first, no null,
 * nothing of origin or practice (decision 2).
 */

import { randomUUID } from 'node:crypto'
import { type FhirType, isFhirType } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
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

// JSON whose numbers keep the digits they were written with: 1.10 is a measurement of another precision than 1.1,
// https://hl7.org/fhir/R4/datatypes.html#decimal. A number that JavaScript would write otherwise is carried as a
// marked text between `parseExact` and `stringifyExact`.

/** Of this process alone, so that no text from outside can pass for a number. */
const mark = `\uE000${randomUUID()}:`
const marked = new RegExp(`"${mark}([^"]+)"`, 'g')

/**
 * A number whose digits may not survive: 1.10, 1.0, 1e3, more than 15 digits, -0, very small. Most resources have
 * none; one that only looks like it, in a text, costs time and nothing else.
 */
const suspicious =
  /(?:^|[:[,])\s*-?(?:[\d.]{16}|0\.0{6}|\d+\.\d*0(?=[\s,}\]]|$)|\d+(?:\.\d+)?[eE][+-]?\d|(?<=-)0(?![.\d]))/
const stringOrNumber = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** @throws SyntaxError on what is no JSON */
export function parseExact(text: string): unknown {
  if (!suspicious.test(text)) return JSON.parse(text)
  return JSON.parse(
    text.replace(stringOrNumber, (part) =>
      part.startsWith('"') || String(Number(part)) === part || !isNumber(part) ? part : `"${mark}${part}"`,
    ),
  )
}

/** One line. */
export function stringifyExact(value: unknown): string {
  const text = JSON.stringify(value)
  return text.includes(mark) ? text.replace(marked, '$1') : text
}

/** JSON has no 01; the parser shall say so. */
function isNumber(part: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.|[eE]|$)/.test(part)
}
