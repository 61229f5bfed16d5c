/**
 * The few codes and identifier systems the server itself writes or looks for. Clinical codes live in
 * the tables of `seed/codes`, never here.
 */

export interface Coding {
  readonly system: string
  readonly code: string
  readonly display?: string
}

/** http://terminology.hl7.org/CodeSystem/v3-ActReason: on every synthetic resource. */
export const testDataLabel: Coding = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason',
  code: 'HTEST',
  display: 'test health data',
}

/** Labels of how confidential a resource is. */
export const confidentialitySystem = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality'

/** http://terminology.hl7.org/CodeSystem/v2-0203 */
export const identifierTypes = {
  medicalRecordNumber: {
    system: 'http://terminology.hl7.org/CodeSystem/v2-0203',
    code: 'MR',
    display: 'Medical record number',
  },
} as const satisfies Record<string, Coding>

export const identifierSystems = {
  /** One system for every practice: stored resources do not name their practice. */
  medicalRecordNumber: 'https://sandpiper.example/identifier/mrn',
  /** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-practitioner.html */
  nationalProvider: 'http://hl7.org/fhir/sid/us-npi',
  /** The public prefix of an API key, in the Provenance of what it wrote. */
  apiKey: 'https://sandpiper.example/identifier/api-key',
  /** Of a URI as an identifier, https://hl7.org/fhir/R4/identifier-registry.html */
  uri: 'urn:ietf:rfc:3986',
  /** BCP 47 */
  language: 'urn:ietf:bcp:47',
} as const

/** Implied systems of `code` elements, which carry none in FHIR JSON. */
export const codeSystems = {
  administrativeGender: 'http://hl7.org/fhir/administrative-gender',
  careTeamStatus: 'http://hl7.org/fhir/care-team-status',
  deviceStatus: 'http://hl7.org/fhir/device-status',
  diagnosticReportStatus: 'http://hl7.org/fhir/diagnostic-report-status',
  documentReferenceStatus: 'http://hl7.org/fhir/document-reference-status',
  encounterStatus: 'http://hl7.org/fhir/encounter-status',
  endpointStatus: 'http://hl7.org/fhir/endpoint-status',
  /** Immunization and Procedure. */
  eventStatus: 'http://hl7.org/fhir/event-status',
  goalStatus: 'http://hl7.org/fhir/goal-status',
  medicationDispenseStatus: 'http://terminology.hl7.org/CodeSystem/medicationdispense-status',
  medicationRequestIntent: 'http://hl7.org/fhir/CodeSystem/medicationrequest-intent',
  medicationRequestStatus: 'http://hl7.org/fhir/CodeSystem/medicationrequest-status',
  observationStatus: 'http://hl7.org/fhir/observation-status',
  questionnaireResponseStatus: 'http://hl7.org/fhir/questionnaire-answers-status',
  /** CarePlan and ServiceRequest. */
  requestStatus: 'http://hl7.org/fhir/request-status',
} as const

/** What the server writes into resources made by a REST call; the registry has the profiles. */
export const writtenCodes = {
  /** http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category */
  clinicalNote: {
    system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category',
    code: 'clinical-note',
    display: 'Clinical Note',
  },
  primaryPerformer: {
    system: 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType',
    code: 'PPRF',
    display: 'primary performer',
  },
  author: {
    system: 'http://terminology.hl7.org/CodeSystem/provenance-participant-type',
    code: 'author',
    display: 'Author',
  },
  transmitter: {
    system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type',
    code: 'transmitter',
    display: 'Transmitter',
  },
} as const satisfies Record<string, Coding>

/** The practice's own Organization has this id in every practice. */
export const practiceOrganizationId = 'org-practice'
