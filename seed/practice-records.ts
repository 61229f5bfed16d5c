/** Generates every resource of a practice. The same options give the same resources on every machine. */
import type { FhirResource } from 'fhir/r4.js'
import type { Resource } from '../server/store/index-rows.ts'
import { castPlans, shortChartObservations } from './cast/plans.ts'
import { castClinicians, castPeople } from './cast.ts'
import type { DocumentFile } from './documents/files.ts'
import type { SeedOptions } from './options.ts'
import { addDays, addYears, laterOf, yearsBetween } from './people/calendar.ts'
import { clinicianId, drawClinician, drawPerson, specialistsOf, staffOf } from './people/draw.ts'
import type { Clinician, Person } from './people/person.ts'
import { type PracticeRow, practices } from './practices.ts'
import { createRandomness, type Randomness } from './randomness.ts'
import { patientResource } from './resources/patient.ts'
import { practiceResources } from './resources/practice.ts'
import { patientRecord } from './resources/record.ts'
import type { Subject } from './timeline/chart.ts'
import { type RecordPlan, tellRecord } from './timeline/tell.ts'
import { drawTraits } from './traits/traits.ts'

/** The cast is complete even if `patients` is smaller; no record is dated after `asOf`. */
type RecordOptions = Pick<SeedOptions, 'seed' | 'patients' | 'asOf' | 'longChart'>

/** Resources that are stored together: those of the practice itself, or of one patient. */
interface RecordBatch {
  readonly resources: readonly Resource[]
  /** Documents with their bytes; the resources only refer to them. */
  readonly files: readonly DocumentFile[]
}

/** Every resource of the practice, without the bytes of its documents. */
export function* practiceRecords(practice: PracticeRow, options: RecordOptions): Generator<Resource> {
  for (const { resources } of practiceBatches(practice, options)) yield* resources
}

/**
 * Yields the practice first, then each patient. A resource refers only to its own batch or to an earlier one,
 * so batches can be stored in this order.
 */
export function* practiceBatches(practice: PracticeRow, options: RecordOptions): Generator<RecordBatch> {
  yield openingBatch(practice, options)
  yield* peopleBatches(practice, options)
}

/** The practice itself, its neighboring organizations and its clinicians. */
export function openingBatch(practice: PracticeRow, { seed }: RecordOptions): RecordBatch {
  const practiceIndex = practices.indexOf(practice)
  return batch(practiceResources(practice, practiceIndex, cliniciansOf(practice, practiceIndex, seed)))
}

/** The number of patients. It is never smaller than the practice's cast. */
export function peopleCount(practice: PracticeRow, { patients, asOf }: RecordOptions): number {
  const cast = practice.cast ? castPeople(asOf).length : 0
  return Math.max(cast, Math.min(patients, practice.patientsMax))
}

function* peopleBatches(practice: PracticeRow, options: RecordOptions): Generator<RecordBatch> {
  const { seed, asOf } = options
  const randomness = createRandomness(seed)
  const cast = practice.cast ? castPeople(asOf) : []
  const plans = castPlans(
    practice.purpose === 'demonstration' ? (options.longChart ?? 10_000) : shortChartObservations,
  )
  const count = peopleCount(practice, options)
  for (let position = 0; position < count; position++) {
    const pinned = cast[position]
    if (pinned) {
      yield patientFile({ practice, person: pinned, asOf, randomness, plan: plans[pinned.id] })
    } else {
      const index = position - cast.length
      const person = drawPerson(randomness.stream(practice.slug, 'person', index), index, practice, asOf)
      yield patientFile({ practice, person, asOf, randomness })
    }
  }
}

function cliniciansOf(practice: PracticeRow, practiceIndex: number, seed: number): Clinician[] {
  const randomness = createRandomness(seed)
  const drawn = staffOf(practice).map((specialty, index) => {
    const chance = randomness.stream(practice.slug, 'clinician', index)
    return drawClinician(chance, index, specialty, practiceIndex, practice.town)
  })
  return [...(practice.cast ? castClinicians : []), ...drawn]
}

function batch(resources: readonly FhirResource[], files: readonly DocumentFile[] = []): RecordBatch {
  return { resources: resources.map((each) => withoutUndefined(each) as Resource), files }
}

/** Builders set absent elements to undefined. What is stored and compared must not have such elements. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [name, each] of Object.entries(value)) {
    if (each !== undefined) copy[name] = withoutUndefined(each)
  }
  return copy
}

interface RecordRequest {
  readonly practice: PracticeRow
  readonly person: Person
  readonly asOf: string
  readonly randomness: Randomness
  readonly plan?: RecordPlan | undefined
}

/** A patient's record. Its random streams are its own, so neither the other patients nor their order changes it. */
export function patientFile(request: RecordRequest): RecordBatch {
  const { practice, person, randomness, plan } = request
  const subject = subjectOf(request)
  const chanceOf = (story: string) => randomness.stream(practice.slug, 'record', person.id, story)
  const events = plan?.empty ? [] : tellRecord(subject, chanceOf, plan?.stories).events
  const { resources, files } = patientRecord(subject, events)
  return batch([patientResource(person), ...resources], files)
}

export function subjectOf({ practice, person, asOf, randomness, plan = {} }: RecordRequest): Subject {
  const traits = drawTraits(randomness.stream(practice.slug, 'traits', person.id), person, plan.traits)
  // The record ends the day before a death, because no story covers a patient's last hours.
  const until = person.deceasedAt ? addDays(person.deceasedAt.slice(0, 10), -1) : asOf
  return {
    person,
    traits,
    asOf,
    until,
    age: yearsBetween(traits.birthDay, until),
    from: laterOf(addYears(until, -(plan.years ?? 2)), traits.birthDay),
    clinicianId: person.generalPractitionerId ?? clinicianId(0),
    specialists: specialistsOf(practice),
  }
}
