/** Everything a practice holds, as resources one after another; the same for the same options, anywhere. */
import type { Resource } from '../server/store/index-rows.ts'
import { castClinicians, castPeople } from './cast.ts'
import { cliniciansPerPractice, drawClinician, drawPerson } from './people/draw.ts'
import { type PracticeRow, practices } from './practices.ts'
import { createRandomness } from './randomness.ts'
import { patientResource } from './resources/patient.ts'
import {
  locationResources,
  organizationId,
  organizationResource,
  practitionerResource,
} from './resources/practice.ts'

export interface RecordOptions {
  readonly seed: number
  /** Patients of the practice, cast included; the cast comes whole even when it is more. */
  readonly patients: number
  /** Reference date, `yyyy-mm-dd`: nothing lies after it. */
  readonly asOf: string
}

/** References point backwards only: what is referred to comes first. */
export function* practiceRecords(
  practice: PracticeRow,
  { seed, patients, asOf }: RecordOptions,
): Generator<Resource> {
  const randomness = createRandomness(seed)
  const practiceIndex = practices.indexOf(practice)
  yield asResource(organizationResource(practice, practiceIndex))
  for (const location of locationResources(practice)) yield asResource(location)
  for (const clinician of practice.cast ? castClinicians : []) {
    yield asResource(practitionerResource(clinician, practice))
  }
  for (let index = 0; index < cliniciansPerPractice; index++) {
    const chance = randomness.stream(practice.slug, 'clinician', index)
    yield asResource(
      practitionerResource(drawClinician(chance, index, practiceIndex, practice.town), practice),
    )
  }
  const cast = practice.cast ? castPeople(asOf) : []
  for (const person of cast) yield asResource(patientResource(person, organizationId))
  const drawn = Math.min(patients, practice.patientsMax) - cast.length
  for (let index = 0; index < drawn; index++) {
    const chance = randomness.stream(practice.slug, 'person', index)
    yield asResource(patientResource(drawPerson(chance, index, practice, asOf), organizationId))
  }
}

/** FHIR's own types have no index signature. */
function asResource(resource: { resourceType: string; id?: string }): Resource {
  return resource as Resource
}
