/** Everything a practice holds, as resources one after another; the same for the same options, anywhere. */
import type { FhirResource } from 'fhir/r4.js'
import type { Resource } from '../server/store/index-rows.ts'
import { castPlans, shortChartObservations } from './cast/plans.ts'
import { castClinicians, castPeople } from './cast.ts'
import type { DocumentFile } from './documents/files.ts'
import { patientFile } from './patient-record.ts'
import { staffOf } from './people/clinicians.ts'
import { drawClinician, drawPerson } from './people/draw.ts'
import type { Clinician, Person } from './people/person.ts'
import { type PracticeRow, practices } from './practices.ts'
import { createRandomness } from './randomness.ts'
import {
  endpointResource,
  groupResource,
  neighbourResources,
  practitionerRoleResource,
} from './resources/around-practice.ts'
import { listedMedications, medicationResource } from './resources/medication.ts'
import { locationResources, organizationResource, practitionerResource } from './resources/practice.ts'

export interface RecordOptions {
  readonly seed: number
  /** Patients of the practice, cast included; the cast comes whole even when it is more. */
  readonly patients: number
  /** Reference date, `yyyy-mm-dd`: nothing lies after it. */
  readonly asOf: string
  /** Observations of the longest chart, in the demonstration practice only. */
  readonly longChart?: number
}

/** What belongs together: the practice itself, or one patient. */
export interface RecordBatch {
  readonly resources: readonly Resource[]
  /** Bytes of documents, which lie beside their resources. */
  readonly files: readonly DocumentFile[]
}

/** All of them in one row. */
export function* practiceRecords(practice: PracticeRow, options: RecordOptions): Generator<Resource> {
  for (const { resources } of practiceBatches(practice, options)) yield* resources
}

/**
 * The practice, then patient by patient, then the Group of all. References outside a patient's own batch point
 * backwards only; within a batch they go both ways.
 */
export function* practiceBatches(practice: PracticeRow, options: RecordOptions): Generator<RecordBatch> {
  const { seed, patients, asOf } = options
  const randomness = createRandomness(seed)
  const practiceIndex = practices.indexOf(practice)
  yield batch(practiceItself(practice, practiceIndex, cliniciansOf(practice, practiceIndex, seed)))
  const plans = castPlans(
    practice.purpose === 'demonstration' ? (options.longChart ?? 10_000) : shortChartObservations,
  )
  const patientIds: string[] = []
  for (const person of practice.cast ? castPeople(asOf) : []) {
    patientIds.push(person.id)
    const plan = plans[person.id]
    yield batchOf({ practice, person, asOf, randomness, ...(plan ? { plan } : {}) })
  }
  const drawn = Math.min(patients, practice.patientsMax) - patientIds.length
  for (let index = 0; index < drawn; index++) {
    const person = drawPerson(
      randomness.stream(practice.slug, 'person', index),
      index,
      practice,
      asOf,
    ) satisfies Person
    patientIds.push(person.id)
    yield batchOf({ practice, person, asOf, randomness })
  }
  yield batch([groupResource(practice, patientIds)])
}

function batchOf(request: Parameters<typeof patientFile>[0]): RecordBatch {
  const { resources, files } = patientFile(request)
  return batch(resources, files)
}

function cliniciansOf(practice: PracticeRow, practiceIndex: number, seed: number): Clinician[] {
  const randomness = createRandomness(seed)
  const drawn = staffOf(practice).map((specialty, index) => {
    const chance = randomness.stream(practice.slug, 'clinician', index)
    return drawClinician(chance, index, specialty, practiceIndex, practice.town)
  })
  return [...(practice.cast ? castClinicians : []), ...drawn]
}

function practiceItself(
  practice: PracticeRow,
  practiceIndex: number,
  clinicians: readonly Clinician[],
): FhirResource[] {
  return [
    organizationResource(practice, practiceIndex),
    ...neighbourResources(practice, practiceIndex),
    ...locationResources(practice),
    endpointResource(practice),
    ...clinicians.map((clinician) => practitionerResource(clinician, practice)),
    ...clinicians.map(practitionerRoleResource),
    ...listedMedications.map(medicationResource),
  ]
}

/** FHIR's own types have no index signature. */
function batch(resources: readonly FhirResource[], files: readonly DocumentFile[] = []): RecordBatch {
  return { resources: resources as readonly unknown[] as readonly Resource[], files }
}
