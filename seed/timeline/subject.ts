/** The patient a record is told about, and the practice they go to. */

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
  /** Practitioner ids; the patient's own comes first. */
  readonly clinicianIds: readonly string[]
}

/** Whole years. */
export function ageAt({ traits }: Subject, date: string): number {
  return yearsBetween(traits.birthDay, date)
}
