/** The patient a record is told about, and the practice they go to. */

import type { Specialty } from '../codes/codes.ts'
import { yearsBetween } from '../people/calendar.ts'
import type { Person } from '../people/person.ts'
import type { Traits } from '../traits/traits.ts'

export interface Subject {
  readonly person: Person
  readonly traits: Traits
  /** First day of which visits are told in full. */
  readonly from: string
  /** Last day: that of death, or the reference date. */
  readonly until: string
  readonly asOf: string
  /** Practitioner id of the patient's own clinician. */
  readonly clinicianId: string
  /** Practitioner id of whom the practice has for it. */
  readonly specialists: ReadonlyMap<Specialty, string>
}

/** Whole years. */
export function ageAt({ traits }: Subject, date: string): number {
  return yearsBetween(traits.birthDay, date)
}
