/** Parameters about the page, not about what matches. https://hl7.org/fhir/R4/search.html#return */
import type { FhirType, FhirTypeRow } from '../contract/fhir/registry.ts'
import { limits } from '../contract/http/limits.ts'
import type { TimeSort } from './plan.ts'
import { notSupported, wrongValue } from './refusals.ts'

/** More than a page may hold is served as what it may hold; 0 asks for the total alone. */
export function parseCount(value: string): number {
  if (!/^\d+$/.test(value)) throw wrongValue('_count must be a whole number, 0 or more.', '_count')
  return Math.min(Number(value), limits.fhirPageSizeMax)
}

/** By the type's date, under its own name or `date`, or by the time of change; `-` begins with the latest. */
export function parseSort(row: FhirTypeRow, type: FhirType, value: string): TimeSort {
  const [, minus, name] = /^(-?)(.*)$/s.exec(value) ?? []
  const descending = minus === '-'
  if (name === '_lastUpdated') return { by: 'updated', descending }
  const date = row.parameters.find(({ sorts }) => sorts === true)
  if (date !== undefined && (name === 'date' || (name === date.name && date.offered !== false))) {
    return { by: 'date', descending }
  }
  const offered = [...(date ? ['date', '-date'] : []), '_lastUpdated', '-_lastUpdated']
  throw notSupported(
    `This sort order is not supported on ${type}. Supported: ${offered.join(', ')}.`,
    '_sort',
  )
}
