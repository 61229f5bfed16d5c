/** Person → record, each from streams of their own: the same whoever else there is and in whatever order. */
import type { FhirResource } from 'fhir/r4.js'
import type { DocumentFile } from './documents/files.ts'
import { addDays, addYears, laterOf, yearsBetween } from './people/calendar.ts'
import { clinicianId, specialistsOf } from './people/draw.ts'
import type { Person } from './people/person.ts'
import type { PracticeRow } from './practices.ts'
import type { Randomness } from './randomness.ts'
import { patientResource } from './resources/patient.ts'
import { patientRecord } from './resources/record.ts'
import type { Story } from './stories/story.ts'
import type { Subject } from './timeline/chart.ts'
import { tellRecord } from './timeline/tell.ts'
import { drawTraits, type Traits } from './traits/traits.ts'

/** What is pinned of a cast member's record. */
export interface RecordPlan {
  readonly traits?: Partial<Traits>
  /** Instead of the stories that chance draws. */
  readonly stories?: readonly Story[]
  /** Days of planned visits, instead of those that age and problems ask for. */
  readonly visits?: readonly string[]
  /** Years told in full; two when left out. */
  readonly years?: number
  /** No record at all but the Patient. */
  readonly empty?: boolean
}

interface PatientFile {
  readonly person: Person
  /** The Patient first. */
  readonly resources: readonly FhirResource[]
  readonly files: readonly DocumentFile[]
}

interface RecordRequest {
  readonly practice: PracticeRow
  readonly person: Person
  readonly asOf: string
  readonly randomness: Randomness
  readonly plan?: RecordPlan | undefined
}

export function patientFile(request: RecordRequest): PatientFile {
  const { practice, person, randomness, plan } = request
  const subject = subjectOf(request)
  const chart = tellRecord({
    subject,
    chanceOf: (story) => randomness.stream(practice.slug, 'record', person.id, story),
    stories: plan?.empty ? [] : plan?.stories,
    visits: plan?.empty ? [] : plan?.visits,
  })
  const { resources, files } = patientRecord(subject, chart.events)
  return { person, resources: [patientResource(person), ...resources], files }
}

export function subjectOf({ practice, person, asOf, randomness, plan = {} }: RecordRequest): Subject {
  const traits = drawTraits(randomness.stream(practice.slug, 'traits', person.id), person, plan.traits)
  // The day before: a record of the hours before death is another story.
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
