/**
 * What varies between FHIR types is a column here; `search`, `store`, `fhir` and `bulk` name no type.
 * Profiles and search parameters: US Core 6.1.0, https://hl7.org/fhir/us/core/STU6.1/CapabilityStatement-us-core-server.html
 */
import { administrativeRows } from './fhir-rows-administrative.ts'
import { clinicalRows } from './fhir-rows-clinical.ts'
import type { FhirTypeRow } from './fhir-type-row.ts'

/** Numbers stand in stored keys: append only, never reuse. */
export const fhirTypeNumbers = {
  AllergyIntolerance: 1,
  CarePlan: 2,
  CareTeam: 3,
  Condition: 4,
  Coverage: 5,
  Device: 6,
  DiagnosticReport: 7,
  DocumentReference: 8,
  Encounter: 9,
  Endpoint: 10,
  Goal: 11,
  Immunization: 12,
  Location: 13,
  Medication: 14,
  MedicationDispense: 15,
  MedicationRequest: 16,
  Observation: 17,
  Organization: 18,
  Patient: 19,
  Practitioner: 20,
  PractitionerRole: 21,
  Procedure: 22,
  Provenance: 23,
  QuestionnaireResponse: 24,
  RelatedPerson: 25,
  ServiceRequest: 26,
  Specimen: 27,
  Group: 28,
} as const

export type FhirType = keyof typeof fhirTypeNumbers

/** Numbers stand in stored keys: append only, never reuse. One name has one number in every type. */
export const searchParameterNumbers = {
  family: 1,
  given: 2,
  name: 3,
  identifier: 4,
  birthdate: 5,
  'death-date': 6,
  gender: 7,
  address: 8,
  'address-city': 9,
  'address-state': 10,
  'address-postalcode': 11,
  organization: 12,
  'general-practitioner': 13,
  link: 14,
  _id: 15,
  _lastUpdated: 16,
  patient: 17,
  status: 18,
  category: 19,
  code: 20,
  date: 21,
  type: 22,
  'clinical-status': 23,
  role: 24,
  participant: 25,
  'onset-date': 26,
  'asserted-date': 27,
  'recorded-date': 28,
  'abatement-date': 29,
  encounter: 30,
  period: 31,
  class: 32,
  location: 33,
  'discharge-disposition': 34,
  'lifecycle-status': 35,
  'target-date': 36,
  description: 37,
  'start-date': 38,
  intent: 39,
  authoredon: 40,
  medication: 41,
  whenhandedover: 42,
  specialty: 43,
  practitioner: 44,
  endpoint: 45,
  target: 46,
  recorded: 47,
  authored: 48,
  questionnaire: 49,
  collected: 50,
  refers: 51,
} as const

export type SearchParameterName = keyof typeof searchParameterNumbers

export type {
  FhirTypeRow,
  RosterRow,
  SearchParameterRow,
} from './fhir-type-row.ts'

export const fhirRegistry: Readonly<Record<FhirType, FhirTypeRow>> = {
  ...clinicalRows,
  ...administrativeRows,
}

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
export function isFhirType(value: string): value is FhirType {
  return Object.hasOwn(fhirRegistry, value)
}

export function registryRow(type: FhirType): FhirTypeRow {
  return fhirRegistry[type]
}
