/**
 * What varies between FHIR types is a column here; `search`, `store`, `fhir` and `bulk` name no type.
 * Profiles and search parameters: US Core 6.1.0, https://hl7.org/fhir/us/core/STU6.1/CapabilityStatement-us-core-server.html
 */
import { codeSystems, identifierSystems } from './codes.ts'

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
} as const

export type SearchParameterName = keyof typeof searchParameterNumbers

/** Raised when stored index rows must be computed again (`index_version`, db:reindex). */
export const indexVersion = 1

/**
 * Where a value lies: element names joined by dots; arrays are walked through.
 * - `string`: leaves are texts
 * - `identifier`: leaves are Identifiers
 * - `token`: leaves are codes (with `system`), Codings, CodeableConcepts or booleans
 * - `date`: leaves are date, dateTime, instant or Period
 * - `reference`: leaves are References, relative
 */
export interface SearchParameterRow {
  readonly name: SearchParameterName
  readonly kind: 'string' | 'identifier' | 'token' | 'date' | 'reference'
  readonly paths: readonly string[]
  /** System of a plain `code` element. */
  readonly system?: string
  /** Date prefixes offered. */
  readonly comparators?: readonly ('gt' | 'ge' | 'lt' | 'le')[]
  /** This date orders the type's pages and lies in the resource row itself. */
  readonly sorts?: boolean
  /** `false`: indexed for the server's own use, not offered to callers. */
  readonly offered?: boolean
}

/** How a type stands in lists of people and places. */
export interface RosterRow {
  readonly names: 'person' | 'text'
  /** A HumanName list or a text. */
  readonly path: string
  readonly bornPath?: string
  /** Identifiers a person may be looked up by when typing. */
  readonly identifierSystem?: string
}

export interface FhirTypeRow {
  readonly profiles: readonly string[]
  /** Paths of the references to the owning patient, first one present wins; `self` for Patient; null outside the compartment. */
  readonly compartment: readonly string[] | 'self' | null
  readonly parameters: readonly SearchParameterRow[]
  readonly includes: readonly string[]
  readonly revIncludes: readonly string[]
  readonly roster: RosterRow | null
  /** Content holds a placeholder for the base, replaced on the way out. */
  readonly holdsBase: boolean
}

const profile = (name: string) => `http://hl7.org/fhir/us/core/StructureDefinition/${name}`
const comparators = ['gt', 'ge', 'lt', 'le'] as const
const humanNameParts = ['name.family', 'name.given', 'name.prefix', 'name.suffix', 'name.text'] as const
const addressParts = [
  'address.line',
  'address.city',
  'address.district',
  'address.state',
  'address.postalCode',
  'address.country',
  'address.text',
] as const

export const fhirRegistry: Readonly<Partial<Record<FhirType, FhirTypeRow>>> = {
  Location: {
    profiles: [profile('us-core-location')],
    compartment: null,
    parameters: [
      { name: 'name', kind: 'string', paths: ['name', 'alias'] },
      { name: 'address', kind: 'string', paths: addressParts },
      { name: 'address-city', kind: 'string', paths: ['address.city'] },
      { name: 'address-state', kind: 'string', paths: ['address.state'] },
      { name: 'address-postalcode', kind: 'string', paths: ['address.postalCode'] },
      { name: 'organization', kind: 'reference', paths: ['managingOrganization'], offered: false },
    ],
    includes: [],
    revIncludes: [],
    roster: { names: 'text', path: 'name' },
    holdsBase: false,
  },
  Organization: {
    profiles: [profile('us-core-organization')],
    compartment: null,
    parameters: [
      { name: 'name', kind: 'string', paths: ['name', 'alias'] },
      { name: 'address', kind: 'string', paths: addressParts },
      { name: 'identifier', kind: 'identifier', paths: ['identifier'], offered: false },
    ],
    includes: [],
    revIncludes: [],
    roster: { names: 'text', path: 'name' },
    holdsBase: false,
  },
  Patient: {
    profiles: [profile('us-core-patient')],
    compartment: 'self',
    parameters: [
      { name: 'identifier', kind: 'identifier', paths: ['identifier'] },
      { name: 'name', kind: 'string', paths: humanNameParts },
      { name: 'family', kind: 'string', paths: ['name.family'] },
      { name: 'given', kind: 'string', paths: ['name.given'] },
      { name: 'gender', kind: 'token', paths: ['gender'], system: codeSystems.administrativeGender },
      { name: 'birthdate', kind: 'date', paths: ['birthDate'], comparators },
      { name: 'death-date', kind: 'date', paths: ['deceasedDateTime'], comparators },
      { name: 'organization', kind: 'reference', paths: ['managingOrganization'], offered: false },
      { name: 'general-practitioner', kind: 'reference', paths: ['generalPractitioner'], offered: false },
      { name: 'link', kind: 'reference', paths: ['link.other'], offered: false },
    ],
    includes: [],
    revIncludes: ['Provenance:target'],
    roster: {
      names: 'person',
      path: 'name',
      bornPath: 'birthDate',
      identifierSystem: identifierSystems.medicalRecordNumber,
    },
    holdsBase: false,
  },
  Practitioner: {
    profiles: [profile('us-core-practitioner')],
    compartment: null,
    parameters: [
      { name: 'name', kind: 'string', paths: humanNameParts },
      { name: 'identifier', kind: 'identifier', paths: ['identifier'] },
    ],
    includes: [],
    revIncludes: [],
    roster: { names: 'person', path: 'name', identifierSystem: identifierSystems.nationalProvider },
    holdsBase: false,
  },
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

/** @throws when the type is not stored by this release. */
export function registryRow(type: FhirType): FhirTypeRow {
  const row = fhirRegistry[type]
  if (row === undefined) throw new Error(`${type} has no registry row`)
  return row
}
