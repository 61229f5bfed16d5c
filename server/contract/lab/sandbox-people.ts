/**
 * The pinned people of the sandbox, as the documentation names them. The seed takes their numbers and dates from here,
 * and `seed/cast-facts.test.ts` compares their names and sign-ins with what is seeded.
 */
import { conformancePersonId } from './conformance-person.ts'
import { sandboxSignIns } from './sandbox-sign-ins.ts'

type SandboxPerson = Readonly<{
  id: string
  mrn: string
  name: string
  /** As it is stored; null for the very young, whose birth counts from the date of the seed. */
  birthDate: string | null
  purpose: string
  /** Accounts of a demonstration that may act for them. */
  logins: readonly string[]
}>

const people: readonly Omit<SandboxPerson, 'logins'>[] = [
  {
    id: 'pt-wren-testwell',
    mrn: 'SYN-004217',
    name: 'Wren Testwell',
    birthDate: '1971-04-09',
    purpose: 'lab trends, repeat prescriptions and a penicillin allergy',
  },
  {
    id: 'pt-juno-testwell',
    mrn: 'SYN-009903',
    name: 'Juno Testwell',
    birthDate: '2019-10-28',
    purpose: 'a child whose parent acts for her',
  },
  {
    id: 'pt-pip-testwell',
    mrn: 'SYN-010355',
    name: 'Pip Testwell',
    birthDate: null,
    purpose: 'a newborn with two parents, both patients, who act for him',
  },
  {
    id: 'pt-marlo-testwell',
    mrn: 'SYN-008810',
    name: 'Marlo Testwell',
    birthDate: '1990-02-17',
    purpose: 'a parent with proxy access to two children',
  },
  {
    id: 'pt-otis-samplewood',
    mrn: 'SYN-000101',
    name: 'Otis Lee Samplewood Jr.',
    birthDate: '1948-12-31',
    purpose: 'every element of the Patient profile: old name, old address, suffix, tribe',
  },
  {
    id: 'pt-edda-nonesuch',
    mrn: 'SYN-000377',
    name: 'Edda Nonesuch',
    birthDate: '1936-07-02',
    purpose: 'a person who has died',
  },
  {
    id: 'pt-zoe-munoz',
    mrn: 'SYN-005120',
    name: 'Zoë Ángela Muñoz-Ejemplo',
    birthDate: '1984-09-21',
    purpose: 'accents, two family names, Spanish first; a pregnancy and a birth, with a link to the newborn',
  },
  {
    id: 'pt-hanako-shiken',
    mrn: 'SYN-006006',
    name: '花子 試験',
    birthDate: '2000-01-01',
    purpose: 'a name in Japanese script; she speaks no English',
  },
  {
    id: 'pt-maximiliana-placeholder',
    mrn: 'SYN-007999',
    name: 'Maximiliana-Alexandrina Wilhelmina Bartholomea Theodosia Constantinopolitana Placeholder-Samplewood-Testerby-Exampleton-von-und-zu-Fictonley',
    birthDate: '1962-02-28',
    purpose: 'very long names',
  },
  {
    id: 'pt-ash-mockley',
    mrn: 'SYN-003001',
    name: 'Ash Mockley',
    birthDate: '1958',
    purpose: 'year of birth only, sex and race unknown',
  },
  {
    id: 'pt-lee-fauxworth',
    mrn: 'SYN-003002',
    name: 'Lee Fauxworth',
    birthDate: '1975-03',
    purpose: 'year and month of birth only; a duplicate refers to him',
  },
  {
    id: 'pt-hester-placewright',
    mrn: 'SYN-000212',
    name: 'Hester Placewright',
    birthDate: '1947-05-20',
    purpose: 'polypharmacy: fifteen drugs for nine problems',
  },
  {
    id: 'pt-cal-notareal',
    mrn: 'SYN-000213',
    name: 'Cal Notareal',
    birthDate: '1955-10-03',
    purpose: 'a long chart: ten thousand observations in the demonstration practice, over 500 elsewhere',
  },
  {
    id: 'pt-nil-stubwell',
    mrn: 'SYN-000214',
    name: 'Nil Stubwell',
    birthDate: '1994-01-11',
    purpose: 'an empty chart',
  },
  {
    id: 'pt-leigh-fauxworth',
    mrn: 'SYN-000215',
    name: 'Leigh Fauxworth',
    birthDate: '1975-03-08',
    purpose: 'a merged duplicate: Patient.link names the record that replaces it',
  },
  {
    id: 'pt-quinn-draftworth',
    mrn: 'SYN-000216',
    name: 'Quinn Draftworth',
    birthDate: '1987-06-30',
    purpose: 'sensitive notes: labeled restricted and psychiatry',
  },
  {
    id: conformancePersonId,
    mrn: 'SYN-000610',
    name: 'Vera June Everyfield CNA',
    birthDate: '1962-03-08',
    purpose: 'conformance tests: a record for every profile and every search of US Core 6.1.0',
  },
]

export const sandboxPeople: readonly SandboxPerson[] = people.map((person) => ({
  ...person,
  logins: sandboxSignIns.flatMap((signIn) =>
    signIn.realm === 'patient' && signIn.actsFor.some(({ patientId }) => patientId === person.id)
      ? [`${signIn.localPart}@people.example`]
      : [],
  ),
}))
