/** A synthetic person, independent of FHIR. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import type { Specialty } from '../codes/codes.ts'

type Sex = 'female' | 'male' | 'unknown'

export interface PersonName {
  readonly use: 'official' | 'usual' | 'old'
  readonly family: string
  readonly given: readonly string[]
  readonly prefix?: readonly string[]
  readonly suffix?: readonly string[]
  /** Date on which an old name ended. */
  readonly ended?: string
}

export interface PersonAddress {
  readonly use: 'home' | 'old'
  readonly line: readonly string[]
  readonly city: string
  readonly state: string
  readonly postalCode: string
  /** Date on which an old address ended. */
  readonly ended?: string
}

export interface Contact {
  readonly system: 'phone' | 'email'
  readonly use: 'home' | 'mobile' | 'work'
  readonly value: string
}

interface Relative {
  readonly name: PersonName
  readonly phone: string
  readonly relationship?: 'mother' | 'father'
}

export interface Person {
  readonly id: string
  readonly mrn: string
  readonly names: readonly PersonName[]
  readonly sex: Sex
  /** Of year, month or day precision. */
  readonly birthDate: string
  /** A dateTime, for people who have died. */
  readonly deceasedAt?: string
  readonly races: readonly Coding[]
  readonly detailedRaces?: readonly Coding[]
  readonly ethnicity: Coding
  readonly detailedEthnicity?: Coding
  readonly tribe?: Coding
  readonly languages: readonly Coding[]
  readonly maritalStatus?: Coding
  readonly addresses: readonly PersonAddress[]
  readonly telecom: readonly Contact[]
  readonly nextOfKin?: Relative | undefined
  /** A child's mother, if she is not the next of kin. */
  readonly mother?: Relative
  /** Patient id of the record that this one was merged into. */
  readonly replacedById?: string
  /** Id of the RelatedPerson who stands for this person in the chart of a child of theirs. */
  readonly seenAsRelatedId?: string
  /** Practitioner id. */
  readonly generalPractitionerId?: string
}

export interface Clinician {
  readonly id: string
  readonly specialty: Specialty
  readonly npi: string
  readonly name: PersonName
  readonly telecom: readonly Contact[]
}
