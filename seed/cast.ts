/**
 * The cast: people with fixed ids, names, numbers and dates, which the documentation quotes. Birth dates of small children
 * are relative to the reference date. Together they have every must-support element of the Patient profile.
 */
import type { Coding } from '../server/contract/fhir/codes.ts'
import { sandboxPeople } from '../server/contract/lab/sandbox-people.ts'
import { newbornDays } from './cast/plans.ts'
import { terms } from './codes/codes.ts'
import { addDays } from './people/calendar.ts'
import cast from './people/cast.json' with { type: 'json' }
import type { Clinician, Person } from './people/person.ts'

export const castClinicians = cast.clinicians as unknown as readonly Clinician[]

/** A person in the JSON file: codes are names of rows in their tables, and defaults are omitted. */
type CastRow = Omit<Person, 'mrn' | 'birthDate' | keyof CodedRow> & CodedRow
interface CodedRow {
  readonly races: readonly string[]
  readonly detailedRaces?: readonly string[]
  readonly ethnicity: string
  readonly detailedEthnicity?: string
  readonly tribe?: string
  readonly languages: readonly string[]
  readonly maritalStatus?: string
}

/** @param asOf the reference date of the seed */
export function castPeople(asOf: string): Person[] {
  return cast.people.map((row) => {
    const person = { ...cast.usual, ...row } as unknown as CastRow
    const { mrn, birthDate } = sandboxPeople.find(({ id }) => id === person.id) ?? {}
    return {
      ...person,
      mrn: mrn ?? '',
      birthDate: birthDate ?? addDays(asOf, -newbornDays),
      races: person.races.map(codeIn({ ...terms.races, ...terms.racesUnknown })),
      detailedRaces: person.detailedRaces?.map(codeIn(terms.detailedRaces)),
      ethnicity: codeIn(terms.ethnicities)(person.ethnicity),
      detailedEthnicity: optional(terms.detailedEthnicities, person.detailedEthnicity),
      tribe: optional(terms.tribes, person.tribe),
      languages: person.languages.map(codeIn(terms.languages)),
      maritalStatus: optional(terms.maritalStatuses, person.maritalStatus),
    }
  })
}

function codeIn(table: Readonly<Record<string, Coding>>) {
  return (name: string): Coding => {
    const coding = table[name]
    if (coding === undefined) throw new Error(`no code of the table is called ${name}`)
    return coding
  }
}

const optional = (table: Readonly<Record<string, Coding>>, name: string | undefined): Coding | undefined =>
  name === undefined ? undefined : codeIn(table)(name)
