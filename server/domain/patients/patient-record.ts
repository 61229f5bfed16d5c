/** The REST record of a patient, from the stored FHIR text. https://hl7.org/fhir/R4/patient.html */
import type * as fhir from 'fhir/r4.js'
import type { PatientRecord } from '../../contract/rest/records.ts'
import { currentName, identifierIn, toAddresses, toTelecom } from '../records/fhir-elements.ts'

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
