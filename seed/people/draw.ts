/** Draws people by chance; a few places in every practice always hold the cases that break clients. */

import type { Coding } from '../../server/contract/fhir/codes.ts'
import { fold } from '../../server/contract/text/fold.ts'
import {
  detailedRaces,
  ethnicities,
  languages,
  maritalStatuses,
  races,
  racesUnknown,
  type Specialty,
} from '../codes/codes.ts'
import type { PracticeRow, Town } from '../practices.ts'
import type { Chance } from '../randomness.ts'
import { addDays, addYears } from './calendar.ts'
import { clinicianId, primaryCareOf } from './clinicians.ts'
import { medicalRecordNumber, npi, phoneNumber } from './identifiers.ts'
import { drawName, longName, namesBeyondAscii, type PersonName } from './names.ts'
import type { Clinician, Contact, Person, PersonAddress, Sex } from './person.ts'

const streets = [
  'Example Lane',
  'Sample Street',
  'Placeholder Avenue',
  'Test Harbor Road',
  'Mock Orchard Drive',
  'Fixture Court',
]

/** One person of a practice; the same for the same stream, index, practice and day. */
export function drawPerson(chance: Chance, index: number, practice: PracticeRow, asOf: string): Person {
  const special = specialOf(index)
  const drawnSex = chance.happens(0.51) ? 'female' : 'male'
  const birthDate = drawBirthDate(chance, practice, asOf, special)
  const name = drawSpecialName(chance, index, drawnSex, special)
  const age = Number(asOf.slice(0, 4)) - Number(birthDate.slice(0, 4))
  const phone = phoneNumber(practice.town.areaCode, chance.integer(0, 99))
  const home = drawAddress(chance, practice.town)
  return {
    id: patientId(index),
    mrn: medicalRecordNumber(index),
    names: [name],
    sex: special === 'sex unknown' ? 'unknown' : (drawnSex satisfies Sex),
    birthDate: birthDate.slice(0, special === 'year only' ? 4 : special === 'month only' ? 7 : 10),
    ...(special === 'deceased' ? { deceasedAt: `${addDays(asOf, -chance.integer(30, 900))}T14:30:00Z` } : {}),
    ...drawHeritage(chance),
    ...(age >= 20 ? { maritalStatus: chance.pick(Object.values(maritalStatuses)) } : {}),
    addresses: [home],
    telecom: special === 'no telecom' ? [] : drawTelecom(chance, name, phone, age),
    ...(age < 18 || chance.happens(0.3) ? { nextOfKin: drawKin(chance, name, practice.town, special) } : {}),
    generalPractitionerId: chance.pick(primaryCareOf(practice, age)),
  }
}

function patientId(index: number): string {
  return `pt-${String(index + 1).padStart(4, '0')}`
}

/** @param practiceIndex place in the table of practices, so that no two clinicians share an NPI. */
export function drawClinician(
  chance: Chance,
  index: number,
  specialty: Specialty,
  practiceIndex: number,
  town: Town,
): Clinician {
  const name = { ...drawName(chance, chance.pick(['female', 'male'])), prefix: ['Dr.'] }
  return {
    id: clinicianId(index),
    specialty,
    npi: npi(practiceIndex * 100 + 10 + index),
    name,
    telecom: [
      { system: 'phone', use: 'work', value: phoneNumber(town.areaCode, chance.integer(0, 99)) },
      { system: 'email', use: 'work', value: mailAddress(name, 'clinic.example') },
    ],
  }
}

type Special =
  | 'deceased'
  | 'newborn'
  | 'long name'
  | 'beyond ASCII'
  | 'year only'
  | 'month only'
  | 'sex unknown'
  | 'no telecom'

/** By place in the practice, so that every practice of 20 has each of them. */
const specials: Readonly<Record<number, Special>> = {
  2: 'deceased',
  4: 'newborn',
  6: 'long name',
  8: 'beyond ASCII',
  10: 'year only',
  11: 'month only',
  13: 'sex unknown',
  15: 'beyond ASCII',
  17: 'no telecom',
}

function specialOf(index: number): Special | undefined {
  return specials[index < 40 ? index : index % 40]
}

function drawBirthDate(chance: Chance, { ages }: PracticeRow, asOf: string, special?: Special): string {
  const [youngest, oldest] = special === 'deceased' ? [Math.max(ages[0], 12), ages[1]] : ages
  if (special === 'newborn' && youngest === 0) return addDays(asOf, -chance.integer(1, 20))
  const age = chance.integer(youngest, oldest)
  return addDays(addYears(asOf, -age), -chance.integer(1, 364))
}

function drawSpecialName(
  chance: Chance,
  index: number,
  sex: 'female' | 'male',
  special?: Special,
): PersonName {
  if (special === 'long name') return longName
  if (special === 'beyond ASCII') return namesBeyondAscii[index % namesBeyondAscii.length] ?? longName
  return drawName(chance, sex)
}

/** Of a newborn always the mother. */
function drawKin(chance: Chance, { family }: PersonName, { areaCode }: Town, special?: Special) {
  const relationship = special === 'newborn' || chance.happens(0.7) ? 'mother' : 'father'
  return {
    name: drawName(chance, relationship === 'mother' ? 'female' : 'male', family),
    phone: phoneNumber(areaCode, chance.integer(0, 99)),
    relationship,
  } as const
}

type Heritage = Pick<Person, 'races' | 'detailedRaces' | 'ethnicity' | 'languages'>

function drawHeritage(chance: Chance): Heritage {
  const draw = chance.next()
  const english = [languages.english]
  const ethnicity: Coding = chance.happens(0.18) ? ethnicities.hispanic : ethnicities.notHispanic
  const spoken =
    ethnicity === ethnicities.hispanic && chance.happens(0.5)
      ? [languages.spanish, languages.english]
      : english
  if (draw < 0.06) return { races: [racesUnknown.unknown], ethnicity, languages: spoken }
  if (draw < 0.2)
    return {
      races: [races.black],
      detailedRaces: [detailedRaces.africanAmerican],
      ethnicity,
      languages: spoken,
    }
  if (draw < 0.27)
    return {
      races: [races.asian],
      detailedRaces: [
        chance.pick([detailedRaces.chinese, detailedRaces.filipino, detailedRaces.asianIndian]),
      ],
      ethnicity: ethnicities.notHispanic,
      languages: english,
    }
  if (draw < 0.29) return { races: [races.americanIndian], ethnicity, languages: english }
  if (draw < 0.3)
    return { races: [races.pacificIslander], ethnicity: ethnicities.notHispanic, languages: english }
  if (draw < 0.33) return { races: [races.white, races.black], ethnicity, languages: spoken }
  return { races: [races.white], ethnicity, languages: spoken }
}

function drawAddress(chance: Chance, town: Town): PersonAddress {
  const line = [`${chance.integer(1, 999)} ${chance.pick(streets)}`]
  if (chance.happens(0.2)) line.push(`Apt ${chance.integer(1, 40)}`)
  return { use: 'home', line, city: town.city, state: town.state, postalCode: town.postalCode }
}

function drawTelecom(chance: Chance, name: PersonName, phone: string, age: number): Contact[] {
  const telecom: Contact[] = [
    { system: 'phone', use: chance.pick(['home', 'mobile'] as const), value: phone },
  ]
  if (age >= 16 && chance.happens(0.7)) {
    telecom.push({ system: 'email', use: 'home', value: mailAddress(name, 'people.example') })
  }
  return telecom
}

/** Letters that a mail address cannot hold are left out. */
function mailAddress(name: PersonName, domain: string): string {
  const parts = [name.given[0] ?? '', name.family].map((part) => fold(part).replace(/[^a-z0-9]/g, ''))
  return `${parts.filter(Boolean).join('.').slice(0, 60) || 'person'}@${domain}`
}
