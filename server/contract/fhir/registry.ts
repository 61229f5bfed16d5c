/**
 * What varies between FHIR types is a column here; `search`, `store`, `fhir` and `bulk` name no type.
 * Profiles and search parameters: US Core 6.1.0, https://hl7.org/fhir/us/core/STU6.1/CapabilityStatement-us-core-server.html
 */

import { type FhirType, fhirTypeNumbers } from './numbers.ts'
import { administrativeRows } from './rows-administrative.ts'
import { clinicalRows } from './rows-clinical.ts'
import { type FhirTypeRow, type RowsOf, usualRow } from './type-row.ts'

export {
  type FhirType,
  fhirTypeNumbers,
  type SearchParameterName,
  searchParameterNumbers,
} from './numbers.ts'

export type {
  FhirTypeRow,
  RosterRow,
  SearchParameterRow,
} from './type-row.ts'

const rows: RowsOf<FhirType> = { ...clinicalRows, ...administrativeRows }

export const fhirRegistry = Object.fromEntries(
  Object.entries(rows).map(([type, row]) => [type, { ...usualRow, ...row }]),
) as Readonly<Record<FhirType, FhirTypeRow>>

const typesByNumber = new Map<number, FhirType>(
  (Object.entries(fhirTypeNumbers) as [FhirType, number][]).map(([type, number]) => [number, type]),
)

/** @returns the type of a stored number. @throws on a number no release has ever written. */
export function fhirTypeOf(number: number): FhirType {
  const type = typesByNumber.get(number)
  if (type === undefined) throw new Error(`type number ${number} is not in the registry`)
  return type
}

/** True for a type that this release stores and serves. */
export const isFhirType = (value: string): value is FhirType => Object.hasOwn(fhirRegistry, value)

export const registryRow = (type: FhirType): FhirTypeRow => fhirRegistry[type]
