/**
 * The REST record of a patient, from the stored FHIR text. https://hl7.org/fhir/R4/patient.html
 * It is stored beside that text, for lists.
 */
import type * as fhir from 'fhir/r4.js'
import type { FhirType } from '../contract/fhir/registry.ts'
import type { PatientRecord } from '../contract/rest/records.ts'
import { currentName, identifierIn, toAddresses, toTelecom } from './fhir-elements.ts'

/** Raise it when `toPatient` makes another record of the same resource: stored ones are then made anew. */
export const recordNumber = 1

/** What a stored record begins with; no resource does. */
export const recordMark = `${recordNumber} `

export function toPatient(content: string): PatientRecord {
  const patient = JSON.parse(content) as fhir.Patient
  const language = patient.communication?.find(({ preferred }) => preferred) ?? patient.communication?.[0]
  return {
    id: patient.id ?? '',
    mrn: identifierIn(patient.identifier, 'medicalRecordNumber'),
    name: currentName(patient.name),
    birthDate: patient.birthDate ?? null,
    sex: patient.gender ?? 'unknown',
    telecom: toTelecom(patient.telecom),
    address: toAddresses(patient.address),
    language: language?.language.coding?.[0]?.code ?? null,
    active: patient.active ?? true,
    deceased: patient.deceasedBoolean ?? patient.deceasedDateTime !== undefined,
    deceasedAt: patient.deceasedDateTime ?? null,
    lastUpdated: patient.meta?.lastUpdated ?? '',
  }
}

/** The record as it is stored; null for types that have none. @param content the stored FHIR text */
export function recordText(type: FhirType, content: string): string | null {
  return type === 'Patient' ? `${recordMark}${JSON.stringify(toPatient(content))}` : null
}

/** @param found a stored record, or the FHIR text where none of this number is stored */
export function toListedPatient(found: string): PatientRecord {
  return found.startsWith(recordMark) ? JSON.parse(found.slice(recordMark.length)) : toPatient(found)
}
