/**
 * The pinned people: ids, names, numbers and dates that the documentation quotes and that never change.
 * Dates of the very young count from the reference date. Between them they hold every must-support element
 * of the Patient profile.
 */
import type { Coding } from '../server/contract/fhir/codes.ts'
import { conformancePersonId } from '../server/contract/lab/conformance-person.ts'
import { newbornDays } from './cast/plans.ts'
import {
  detailedEthnicities,
  detailedRaces,
  ethnicities,
  languages,
  maritalStatuses,
  races,
  racesUnknown,
  tribes,
} from './codes/codes.ts'
import { addDays } from './people/calendar.ts'
import { npi } from './people/identifiers.ts'
import type { Clinician, Person, PersonAddress, PersonName } from './people/person.ts'

/** What each of them is there for. */
export const castPurposes: Readonly<Record<string, string>> = {
  'pt-wren-testwell': 'lab trends, repeat prescriptions and a penicillin allergy',
  'pt-juno-testwell': 'a child whose parent acts for her',
  'pt-pip-testwell': 'a newborn with two parents, both patients, who act for him',
  'pt-marlo-testwell': 'a parent with proxy access to two children',
  'pt-otis-samplewood': 'every element of the Patient profile: old name, old address, suffix, tribe',
  'pt-edda-nonesuch': 'a person who has died',
  'pt-zoe-munoz':
    'accents, two family names, Spanish first; a pregnancy and a birth, with a link to the newborn',
  'pt-hanako-shiken': 'a name in Japanese script; she speaks no English',
  'pt-maximiliana-placeholder': 'very long names',
  'pt-ash-mockley': 'year of birth only, sex and race unknown',
  'pt-lee-fauxworth': 'year and month of birth only; a duplicate refers to him',
  'pt-hester-placewright': 'polypharmacy: fifteen drugs for nine problems',
  'pt-cal-notareal':
    'a long chart: ten thousand observations in the demonstration practice, over 500 elsewhere',
  'pt-nil-stubwell': 'an empty chart',
  'pt-leigh-fauxworth': 'a merged duplicate: Patient.link names the record that replaces it',
  'pt-quinn-draftworth': 'sensitive notes: labeled restricted and psychiatry',
  [conformancePersonId]: 'conformance tests: a record for every profile and every search of US Core 6.1.0',
}

const ines = 'pr-ines-placeholder'

export const castClinicians: readonly Clinician[] = [
  {
    id: ines,
    specialty: 'familyMedicine',
    npi: npi(4_217),
    name: { use: 'official', family: 'Placeholder', given: ['Ines'], prefix: ['Dr.'] },
    telecom: [
      { system: 'phone', use: 'work', value: '(207) 555-0110' },
      { system: 'email', use: 'work', value: 'ines.placeholder@clinic.example' },
    ],
  },
  {
    id: 'pr-nell-testerby',
    specialty: 'familyNursing',
    npi: npi(4_218),
    name: { use: 'official', family: 'Testerby', given: ['Nell'] },
    telecom: [
      { system: 'phone', use: 'work', value: '(207) 555-0111' },
      { system: 'email', use: 'work', value: 'nell.testerby@clinic.example' },
    ],
  },
  {
    id: 'pr-rafi-draftworth',
    specialty: 'nursing',
    npi: npi(4_219),
    name: { use: 'official', family: 'Draftworth', given: ['Rafi'] },
    telecom: [
      { system: 'phone', use: 'work', value: '(207) 555-0112' },
      { system: 'email', use: 'work', value: 'rafi.draftworth@clinic.example' },
    ],
  },
]

/** @param asOf reference date of the seed. */
export function castPeople(asOf: string): Person[] {
  return [
    person('pt-wren-testwell', 'SYN-004217', 'female', '1971-04-09', named('Testwell', 'Wren'), {
      maritalStatus: maritalStatuses.married,
      telecom: [
        { system: 'phone', use: 'mobile', value: '(207) 555-0142' },
        { system: 'email', use: 'home', value: 'wren.testwell@people.example' },
      ],
    }),
    person('pt-juno-testwell', 'SYN-009903', 'female', '2019-10-28', named('Testwell', 'Juno'), {
      nextOfKin: { name: named('Testwell', 'Marlo'), phone: '(207) 555-0147', relationship: 'father' },
    }),
    person('pt-pip-testwell', 'SYN-010355', 'male', addDays(asOf, -newbornDays), named('Testwell', 'Pip'), {
      nextOfKin: { name: named('Testwell', 'Marlo'), phone: '(207) 555-0147', relationship: 'father' },
      mother: { name: zoe, phone: '(207) 555-0120' },
    }),
    person('pt-marlo-testwell', 'SYN-008810', 'male', '1990-02-17', named('Testwell', 'Marlo'), {
      maritalStatus: maritalStatuses.married,
      telecom: [{ system: 'phone', use: 'mobile', value: '(207) 555-0147' }],
    }),
    person('pt-otis-samplewood', 'SYN-000101', 'male', '1948-12-31', otisNow, {
      names: [otisNow, { ...named('Exampleton', 'Otis', 'Lee'), use: 'old', ended: '1975-06-14' }],
      maritalStatus: maritalStatuses.widowed,
      races: [races.americanIndian, races.white],
      detailedRaces: [detailedRaces.european],
      tribe: tribes.cherokeeNation,
      addresses: [
        home('7 Example Lane', 'Apt 3'),
        { ...home('40 Sample Street'), use: 'old', ended: '2019-08-31' },
      ],
      telecom: [
        { system: 'phone', use: 'home', value: '(207) 555-0101' },
        { system: 'phone', use: 'mobile', value: '(207) 555-0102' },
        { system: 'email', use: 'home', value: 'otis.samplewood@people.example' },
      ],
      nextOfKin: { name: named('Samplewood', 'Iris'), phone: '(207) 555-0103' },
    }),
    person('pt-edda-nonesuch', 'SYN-000377', 'female', '1936-07-02', named('Nonesuch', 'Edda'), {
      deceasedAt: '2025-11-30T04:15:00-05:00',
      maritalStatus: maritalStatuses.widowed,
    }),
    person('pt-zoe-munoz', 'SYN-005120', 'female', '1984-09-21', zoe, {
      telecom: [{ system: 'phone', use: 'mobile', value: '(207) 555-0120' }],
      seenAsRelatedId: 'rp-pip-testwell-2',
      ethnicity: ethnicities.hispanic,
      detailedEthnicity: detailedEthnicities.mexican,
      languages: [languages.spanish, languages.english],
    }),
    person('pt-hanako-shiken', 'SYN-006006', 'female', '2000-01-01', named('試験', '花子'), {
      names: [named('試験', '花子'), { ...named('Shiken', 'Hanako'), use: 'usual' }],
      races: [races.asian],
      languages: [languages.japanese],
    }),
    person('pt-maximiliana-placeholder', 'SYN-007999', 'female', '1962-02-28', longestName, {}),
    person('pt-ash-mockley', 'SYN-003001', 'unknown', '1958', named('Mockley', 'Ash'), {
      races: [racesUnknown.askedButUnknown],
      telecom: [],
      addresses: [],
    }),
    person('pt-lee-fauxworth', 'SYN-003002', 'male', '1975-03', named('Fauxworth', 'Lee'), {
      races: [races.black],
      detailedRaces: [detailedRaces.africanAmerican],
    }),
    person('pt-hester-placewright', 'SYN-000212', 'female', '1947-05-20', named('Placewright', 'Hester'), {
      maritalStatus: maritalStatuses.widowed,
    }),
    person('pt-cal-notareal', 'SYN-000213', 'male', '1955-10-03', named('Notareal', 'Cal'), {}),
    person('pt-nil-stubwell', 'SYN-000214', 'male', '1994-01-11', named('Stubwell', 'Nil'), {}),
    person('pt-leigh-fauxworth', 'SYN-000215', 'male', '1975-03-08', named('Fauxworth', 'Leigh'), {
      replacedById: 'pt-lee-fauxworth',
    }),
    person('pt-quinn-draftworth', 'SYN-000216', 'female', '1987-06-30', named('Draftworth', 'Quinn'), {}),
    person(conformancePersonId, 'SYN-000610', 'female', '1962-03-08', veraNow, {
      names: [veraNow, { ...named('Testerby', 'Vera', 'June'), use: 'old', ended: '1986-09-20' }],
      deceasedAt: '2025-10-04T21:30:00-04:00',
      maritalStatus: maritalStatuses.married,
      races: [races.americanIndian, races.white],
      detailedRaces: [detailedRaces.european],
      ethnicity: ethnicities.hispanic,
      detailedEthnicity: detailedEthnicities.mexican,
      tribe: tribes.cherokeeNation,
      languages: [languages.english, languages.spanish],
      addresses: [home('61 Sample Street'), { ...home('3 Example Lane'), use: 'old', ended: '2011-05-31' }],
      telecom: [
        { system: 'phone', use: 'mobile', value: '(207) 555-0161' },
        { system: 'email', use: 'home', value: 'vera.everyfield@people.example' },
      ],
      nextOfKin: { name: named('Everyfield', 'Rosa'), phone: '(207) 555-0162' },
    }),
  ]
}

const zoe: PersonName = { use: 'official', family: 'Muñoz-Ejemplo', given: ['Zoë', 'Ángela'] }

const otisNow: PersonName = { use: 'official', family: 'Samplewood', given: ['Otis', 'Lee'], suffix: ['Jr.'] }

const veraNow: PersonName = {
  use: 'official',
  family: 'Everyfield',
  given: ['Vera', 'June'],
  suffix: ['CNA'],
}

const longestName: PersonName = {
  use: 'official',
  family: 'Placeholder-Samplewood-Testerby-Exampleton-von-und-zu-Fictonley',
  given: ['Maximiliana-Alexandrina', 'Wilhelmina', 'Bartholomea', 'Theodosia', 'Constantinopolitana'],
}

function person(
  id: string,
  mrn: string,
  sex: Person['sex'],
  birthDate: string,
  name: PersonName,
  details: Partial<Person>,
): Person {
  return {
    id,
    mrn,
    sex,
    birthDate,
    names: [name],
    races: [races.white] as readonly Coding[],
    ethnicity: ethnicities.notHispanic,
    languages: [languages.english],
    addresses: [home('12 Placeholder Avenue')],
    telecom: [{ system: 'phone', use: 'home', value: '(207) 555-0199' }],
    generalPractitionerId: ines,
    ...details,
  }
}

function named(family: string, ...given: string[]): PersonName {
  return { use: 'official', family, given }
}

function home(...line: string[]): PersonAddress {
  return { use: 'home', line, city: 'Samplehaven', state: 'ME', postalCode: '04999' }
}
