/**
 * Coded values that a REST body may name. Listed codes only: what callers send becomes searchable, and the
 * dictionary of codes must not grow at their will.
 */
import type { Coding } from '../fhir/codes.ts'

type CodeTable = Readonly<Record<string, string>>

/** http://terminology.hl7.org/CodeSystem/v3-ActCode */
export const encounterClasses = {
  AMB: 'ambulatory',
  EMER: 'emergency',
  HH: 'home health',
  IMP: 'inpatient encounter',
  OBSENC: 'observation encounter',
  VR: 'virtual',
} as const satisfies CodeTable

/** SNOMED CT, of https://hl7.org/fhir/us/core/STU6.1/ValueSet-us-core-encounter-type.html */
export const encounterTypes = {
  '185345009': 'Encounter for symptom (procedure)',
  '185347001': 'Encounter for problem (procedure)',
  '185349003': 'Encounter for check up (procedure)',
  '390906007': 'Follow-up encounter (procedure)',
  '424441002': 'Prenatal initial visit (regime/therapy)',
  '424619006': 'Prenatal visit (regime/therapy)',
  '50849002': 'Emergency room admission (procedure)',
  '32485007': 'Hospital admission (procedure)',
} as const satisfies CodeTable

/** LOINC, of https://hl7.org/fhir/us/core/STU6.1/ValueSet-us-core-documentreference-type.html */
export const documentTypes = {
  '11488-4': 'Consult note',
  '11502-2': 'Laboratory report',
  '11504-8': 'Surgical operation note',
  '11506-3': 'Progress note',
  '11526-1': 'Pathology study',
  '18748-4': 'Diagnostic imaging study',
  '18761-7': 'Transfer summary note',
  '18842-5': 'Discharge summary',
  '28570-0': 'Procedure note',
  '34108-1': 'Outpatient Note',
  '34117-2': 'History and physical note',
  '34133-9': 'Summary of episode note',
  '57133-1': 'Referral note',
} as const satisfies CodeTable

/** Content types of documents that may be registered. */
export const documentContentTypes = [
  'application/pdf',
  'text/plain',
  'application/xml',
  'image/jpeg',
  'image/png',
  'image/tiff',
] as const

export const encounterClassSystem = 'http://terminology.hl7.org/CodeSystem/v3-ActCode'
export const encounterTypeSystem = 'http://snomed.info/sct'
export const documentTypeSystem = 'http://loinc.org'

/** The Coding of a listed code. */
export function codingOf<Table extends CodeTable>(
  system: string,
  table: Table,
  code: keyof Table & string,
): Coding {
  return { system, code, display: table[code] as string }
}

/** Codes of a table, as zod's enum takes them. */
export const codesOf = <Table extends CodeTable>(table: Table) =>
  Object.keys(table) as [keyof Table & string, ...(keyof Table & string)[]]
