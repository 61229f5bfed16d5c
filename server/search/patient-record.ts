/**
 * Converts a stored FHIR Patient to the REST record, which is stored beside it for lists.
 * https://hl7.org/fhir/R4/patient.html
 */
import type * as fhir from 'fhir/r4.js'
import { type FhirType, fhirRegistry, registryRow } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import type { PatientRecord } from '../contract/rest/records.ts'
import { type Access, filtersOf, grantsFor } from './access.ts'
import { currentName, identifierIn, type JsonText, toAddresses, toTelecom } from './fhir-elements.ts'

/** Raise it when `toPatient` changes: stored records are then recomputed. */
export const recordNumber = 1

/** The beginning of every stored record; no FHIR text begins with it. */
export const recordMark = `${recordNumber} `
const markBytes = Buffer.from(recordMark)

export function toPatient(content: JsonText): PatientRecord {
  const patient = JSON.parse(content.toString()) as fhir.Patient
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

/** @param content the stored FHIR text @returns the record to store; null for other types */
export const recordText = (type: FhirType, content: string): string | null =>
  type === 'Patient' ? `${recordMark}${JSON.stringify(toPatient(content))}` : null

/** @param found a stored record, or the FHIR text if there is no current record @returns the record's JSON */
export function listedText(found: Buffer): Buffer {
  const isStored = found.subarray(0, markBytes.length).equals(markBytes)
  return isStored ? found.subarray(markBytes.length) : Buffer.from(JSON.stringify(toPatient(found)))
}

// A summary of a chart needs access to the complete chart, because a hidden gap is worse than an error.

/** The types of resources in charts. */
export const chartTypes = (Object.keys(fhirRegistry) as FhirType[]).filter(
  (type) => registryRow(type).compartment !== null,
)

type CompleteChart = {
  readonly patientId: string
  /** The caller's access to a type for reading or searching, if any. */
  readonly accessTo: (type: FhirType, interaction: 'read' | 'search') => Access | null
}

/**
 * @param what names the operation in the error
 * @throws Problem `forbidden` unless every type of the chart may be read and searched without a filter,
 * `not_found` for a patient who is not the token's
 */
export function checkCompleteChart({ patientId, accessTo }: CompleteChart, what: string): void {
  for (const type of chartTypes) {
    for (const interaction of ['read', 'search'] as const) {
      const access = accessTo(type, interaction)
      if (access === null || filtersOf(access.grants) !== null) {
        throw new Problem('forbidden', {
          message: `${what} needs access to the complete chart, but this token can’t see all of ${type}.`,
          detail: `incomplete chart: ${interaction} of ${type}`,
        })
      }
      // Another patient than the token's counts as not found.
      if (grantsFor(access, patientId).length === 0) throw new Problem('not_found')
    }
  }
}

/** Types outside all charts that a CCD refers to. */
const namedInCcd: readonly FhirType[] = [
  'Organization',
  'Practitioner',
  'PractitionerRole',
  'Location',
  'Medication',
]

/** The CCD needs the complete chart and the types that it refers to. @throws Problem as `checkCompleteChart` does */
export function checkCcd(chart: CompleteChart): void {
  checkCompleteChart(chart, 'The CCD')
  for (const type of namedInCcd) {
    if (chart.accessTo(type, 'read') !== null) continue
    throw new Problem('forbidden', {
      message: `The CCD refers to ${type}, which this token can’t see.`,
      detail: `incomplete chart: read of ${type}`,
    })
  }
}
