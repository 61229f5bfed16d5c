/** The REST record of a patient, from the stored FHIR text. https://hl7.org/fhir/R4/patient.html */
import type * as fhir from 'fhir/r4.js'
import { identifierSystems } from '../../contract/codes.ts'
import type { PatientRecord } from '../../contract/records.ts'

export function toPatient(content: string): PatientRecord {
  const patient = JSON.parse(content) as fhir.Patient
  const mrn = patient.identifier?.find(({ system }) => system === identifierSystems.medicalRecordNumber)
  const name = currentName(patient.name ?? [])
  const language = patient.communication?.find(({ preferred }) => preferred) ?? patient.communication?.[0]
  return {
    id: patient.id ?? '',
    mrn: mrn?.value ?? null,
    name: { family: name?.family ?? null, given: name?.given ?? [] },
    birthDate: patient.birthDate ?? null,
    sex: patient.gender ?? 'unknown',
    telecom: byRank(patient.telecom ?? []).flatMap(toTelecom),
    address: currentFirst(patient.address ?? []).map(toAddress),
    language: language?.language.coding?.[0]?.code ?? null,
    active: patient.active ?? true,
    deceased: patient.deceasedBoolean ?? patient.deceasedDateTime !== undefined,
    deceasedAt: patient.deceasedDateTime ?? null,
    lastUpdated: patient.meta?.lastUpdated ?? '',
  }
}

const past = new Set<string | undefined>(['old', 'maiden'])

/** The official name, else the first one still in use. */
function currentName(names: readonly fhir.HumanName[]): fhir.HumanName | undefined {
  const inUse = names.filter(({ use }) => !past.has(use))
  return inUse.find(({ use }) => use === 'official') ?? inUse[0] ?? names[0]
}

function currentFirst<T extends { use?: string }>(values: readonly T[]): T[] {
  return [...values.filter(({ use }) => use !== 'old'), ...values.filter(({ use }) => use === 'old')]
}

/** FHIR ranks preference from 1 up; what has no rank comes after. */
function byRank(points: readonly fhir.ContactPoint[]): fhir.ContactPoint[] {
  return [...points].sort((a, b) => (a.rank ?? Number.MAX_SAFE_INTEGER) - (b.rank ?? Number.MAX_SAFE_INTEGER))
}

function toTelecom({ system, value, use }: fhir.ContactPoint): PatientRecord['telecom'] {
  return value === undefined ? [] : [{ system: system ?? 'other', value, use: use ?? null }]
}

function toAddress({
  use,
  line,
  city,
  state,
  postalCode,
  country,
}: fhir.Address): PatientRecord['address'][number] {
  return {
    use: use ?? null,
    line: line ?? [],
    city: city ?? null,
    state: state ?? null,
    postalCode: postalCode ?? null,
    country: country ?? null,
  }
}
