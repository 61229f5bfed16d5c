/** Draws random people. A few fixed positions in every practice hold edge cases that break clients. */
import { fold } from '../../server/contract/text/fold.ts'
import { type Specialty, terms } from '../codes/codes.ts'
import type { PracticeRow, Town } from '../practices.ts'
import type { Chance } from '../randomness.ts'
import { addDays, addYears } from './calendar.ts'
import nameLists from './names.json' with { type: 'json' }
import type { Clinician, Contact, Person, PersonAddress, PersonName } from './person.ts'

/**
 * Family names and streets are made up, so that nobody takes them for a real person's. “Testwell” is only the cast's:
 * a search for it finds the people of the documentation. Non-ASCII family names mean “test” or “example” in their
 * language if possible.
 */
const { familyNames, streets } = nameLists
const namesBeyondAscii = nameLists.beyondAscii as readonly PersonName[]
const longName = nameLists.long as PersonName

/** Draws one person. The same stream, index, practice and date give the same person. */
export function drawPerson(chance: Chance, index: number, practice: PracticeRow, asOf: string): Person {
  const special = specialOf(index)
  const drawnSex = chance.happens(0.51) ? 'female' : 'male'
  const birthDate = drawBirthDate(chance, practice, asOf, special)
  const name = drawSpecialName(chance, index, drawnSex, special)
  const age = Number(asOf.slice(0, 4)) - Number(birthDate.slice(0, 4))
  const phone = phoneNumber(practice.town.areaCode, chance.integer(0, 99))
  const home = drawAddress(chance, practice.town)
  return {
    id: `pt-${String(index + 1).padStart(4, '0')}`,
    mrn: medicalRecordNumber(index),
    names: [name],
    sex: special === 'sex unknown' ? 'unknown' : drawnSex,
    birthDate: birthDate.slice(0, special === 'year only' ? 4 : special === 'month only' ? 7 : 10),
    deceasedAt: special === 'deceased' ? `${addDays(asOf, -chance.integer(30, 900))}T14:30:00Z` : undefined,
    ...drawHeritage(chance),
    maritalStatus: age >= 20 ? chance.pick(Object.values(terms.maritalStatuses)) : undefined,
    addresses: [home],
    telecom: special === 'no telecom' ? [] : drawTelecom(chance, name, phone, age),
    nextOfKin: age < 18 || chance.happens(0.3) ? drawKin(chance, name, practice.town, special) : undefined,
    generalPractitionerId: chance.pick(primaryCareOf(practice, age)),
  }
}

/** @param practiceIndex keeps two clinicians of different practices from having the same NPI */
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
      { system: 'email', use: 'work', value: emailAddress(name, 'clinic.example') },
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

/** Edge cases by position, low enough that every practice of 20 patients has all of them. */
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

const specialOf = (index: number): Special | undefined => specials[index < 40 ? index : index % 40]

function drawBirthDate(chance: Chance, { ages }: PracticeRow, asOf: string, special?: Special): string {
  const [youngest, oldest] = special === 'deceased' ? [Math.max(ages[0], 12), ages[1]] : ages
  if (special === 'newborn' && youngest === 0) return addDays(asOf, -chance.integer(1, 20))
  const age = chance.integer(youngest, oldest)
  return addDays(addYears(asOf, -age), -chance.integer(1, 364))
}

function drawSpecialName(chance: Chance, index: number, sex: 'female' | 'male', special?: Special) {
  if (special === 'long name') return longName
  if (special === 'beyond ASCII') return namesBeyondAscii[index % namesBeyondAscii.length] ?? longName
  return drawName(chance, sex)
}

/** The next of kin of a newborn is always the mother. */
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
  const isHispanic = chance.happens(0.18)
  const speaksSpanish = isHispanic && chance.happens(0.5)
  const drawn = {
    ethnicity: isHispanic ? terms.ethnicities.hispanic : terms.ethnicities.notHispanic,
    languages: speaksSpanish ? [terms.languages.spanish, terms.languages.english] : [terms.languages.english],
  }
  const others = { ethnicity: terms.ethnicities.notHispanic, languages: [terms.languages.english] }
  if (draw < 0.06) return { ...drawn, races: [terms.racesUnknown.unknown] }
  if (draw < 0.2)
    return { ...drawn, races: [terms.races.black], detailedRaces: [terms.detailedRaces.africanAmerican] }
  if (draw < 0.27) {
    const { chinese, filipino, asianIndian } = terms.detailedRaces
    return {
      ...others,
      races: [terms.races.asian],
      detailedRaces: [chance.pick([chinese, filipino, asianIndian])],
    }
  }
  if (draw < 0.29)
    return { ...drawn, races: [terms.races.americanIndian], languages: [terms.languages.english] }
  if (draw < 0.3) return { ...others, races: [terms.races.pacificIslander] }
  if (draw < 0.33) return { ...drawn, races: [terms.races.white, terms.races.black] }
  return { ...drawn, races: [terms.races.white] }
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
    telecom.push({ system: 'email', use: 'home', value: emailAddress(name, 'people.example') })
  }
  return telecom
}

/** Drops the characters that an email address can't contain. */
function emailAddress(name: PersonName, domain: string): string {
  const parts = [name.given[0] ?? '', name.family].map((part) => fold(part).replace(/[^a-z0-9]/g, ''))
  return `${parts.filter(Boolean).join('.').slice(0, 60) || 'person'}@${domain}`
}

function drawName(chance: Chance, sex: 'female' | 'male', family?: string): PersonName {
  const given = [chance.faker.person.firstName(sex)]
  if (chance.happens(0.6)) given.push(chance.faker.person.middleName(sex))
  return { use: 'official', family: family ?? chance.pick(familyNames), given }
}

const forAllAges: readonly Specialty[] = [
  'familyMedicine',
  'internalMedicine',
  'pediatrics',
  'obstetrics',
  'cardiology',
  'psychiatry',
]
const forChildren: readonly Specialty[] = [
  'pediatrics',
  'pediatrics',
  'familyMedicine',
  'pediatrics',
  'psychiatry',
]

/** The specialty of each clinician who is drawn, in the order of their ids. */
export const staffOf = ({ ages }: PracticeRow): readonly Specialty[] =>
  ages[1] <= 18 ? forChildren : forAllAges

export const clinicianId = (index: number): string => `pr-${String(index + 1).padStart(2, '0')}`

/** Ids of the clinicians who can be a patient's general practitioner. @param age in whole years */
function primaryCareOf(practice: PracticeRow, age: number): readonly string[] {
  const specialties: readonly Specialty[] =
    age < 18 ? ['pediatrics', 'familyMedicine'] : ['familyMedicine', 'internalMedicine']
  return staffOf(practice).flatMap((specialty, index) =>
    specialties.includes(specialty) ? [clinicianId(index)] : [],
  )
}

/** The practice's first clinician of each specialty. */
export function specialistsOf(practice: PracticeRow): ReadonlyMap<Specialty, string> {
  const staff = staffOf(practice)
  return new Map(staff.map((specialty) => [specialty, clinicianId(staff.indexOf(specialty))]))
}

// Numbers of people and places. Anyone can see that they are made up, but software accepts their check digits.

/**
 * A National Provider Identifier of the range 2999…, which has never been issued (real ones begin with 1).
 * The check digit is Luhn's over the card prefix 80840:
 * https://www.cms.gov/Regulations-and-Guidance/Administrative-Simplification/NationalProvIdentStand/Downloads/NPIcheckdigit.pdf
 * @param number 0 to 99,999
 */
export function npi(number: number): string {
  const body = `2999${String(number).padStart(5, '0')}`
  return `${body}${luhnDigit(`80840${body}`)}`
}

export const isValidNpi = (value: string): boolean =>
  /^[12]\d{9}$/.test(value) && luhnDigit(`80840${value.slice(0, 9)}`) === Number(value[9])

/** Unique for an index from 0 to 899,999. Neighboring patients don't have consecutive numbers. */
export const medicalRecordNumber = (index: number): string =>
  `SYN-${100_000 + ((index * 7_919 + 31_337) % 900_000)}`

/** In every area code, 555-01xx is reserved for fiction. */
export const phoneNumber = (areaCode: string, number: number): string =>
  `(${areaCode}) 555-01${String(number % 100).padStart(2, '0')}`

function luhnDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, position) => {
    const value = Number(digit) * (position % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return (10 - (sum % 10)) % 10
}
