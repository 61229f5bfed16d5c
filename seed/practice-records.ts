/** Everything a practice holds, as resources one after another; the same for the same options, anywhere. */
import type { FhirResource } from 'fhir/r4.js'
import type { Resource } from '../server/store/index-rows.ts'
import { castPlans, shortChartObservations } from './cast/plans.ts'
import { castClinicians, castPeople } from './cast.ts'
import type { DocumentFile } from './documents/files.ts'
import { patientFile } from './patient-record.ts'
import { drawClinician, drawPerson, staffOf } from './people/draw.ts'
import type { Clinician } from './people/person.ts'
import { type PracticeRow, practices } from './practices.ts'
import { createRandomness } from './randomness.ts'
import { practiceResources } from './resources/practice.ts'

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
 * The practice, then patient by patient. References outside a patient's own batch point
 * backwards only; within a batch they go both ways.
 */
export function* practiceBatches(practice: PracticeRow, options: RecordOptions): Generator<RecordBatch> {
  yield openingBatch(practice, options)
  yield* peopleBatches(practice, options, 0, peopleCount(practice, options))
}

/** The practice itself, its neighbours and its clinicians. */
export function openingBatch(practice: PracticeRow, { seed }: RecordOptions): RecordBatch {
  const practiceIndex = practices.indexOf(practice)
  return batch(practiceResources(practice, practiceIndex, cliniciansOf(practice, practiceIndex, seed)))
}

/** Patients of the practice, the cast first. */
export function peopleCount(practice: PracticeRow, { patients, asOf }: RecordOptions): number {
  const cast = practice.cast ? castPeople(asOf).length : 0
  return Math.max(cast, Math.min(patients, practice.patientsMax))
}

/** The people from one place in the practice up to another: the same whoever makes the others. */
export function* peopleBatches(
  practice: PracticeRow,
  options: RecordOptions,
  from: number,
  until: number,
): Generator<RecordBatch> {
  const { seed, asOf } = options
  const randomness = createRandomness(seed)
  const cast = practice.cast ? castPeople(asOf) : []
  const plans = castPlans(
    practice.purpose === 'demonstration' ? (options.longChart ?? 10_000) : shortChartObservations,
  )
  for (let place = from; place < until; place++) {
    const pinned = cast[place]
    if (pinned) {
      yield batchOf({ practice, person: pinned, asOf, randomness, plan: plans[pinned.id] })
    } else {
      const index = place - cast.length
      const person = drawPerson(randomness.stream(practice.slug, 'person', index), index, practice, asOf)
      yield batchOf({ practice, person, asOf, randomness })
    }
  }
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

/** FHIR's own types have no index signature. */
function batch(resources: readonly FhirResource[], files: readonly DocumentFile[] = []): RecordBatch {
  return { resources: resources as readonly unknown[] as readonly Resource[], files }
}
