/** The name and birth date of a patient, from the stored FHIR text. */
import type * as fhir from 'fhir/r4.js'
import type { AuthorizablePatient } from './authorization-types.ts'

const past = new Set<string | undefined>(['old', 'maiden'])

export function summarizePatient(content: Buffer, relationship: string | null): AuthorizablePatient {
  const patient = JSON.parse(content.toString()) as fhir.Patient
  const inUse = (patient.name ?? []).filter(({ use }) => !past.has(use))
  const name = inUse.find(({ use }) => use === 'official') ?? inUse[0] ?? patient.name?.[0]
  const text = [...(name?.given ?? []), name?.family].filter(Boolean).join(' ')
  return {
    patientId: patient.id ?? '',
    name: text || (name?.text ?? 'No name on record'),
    birthDate: patient.birthDate ?? null,
    relationship,
  }
}
