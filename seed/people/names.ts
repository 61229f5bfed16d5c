/** Names that nobody takes for a real person's. Family names are made up; given names come from faker. */
import type { Chance } from '../randomness.ts'

export interface PersonName {
  readonly use: 'official' | 'usual' | 'old'
  readonly family: string
  readonly given: readonly string[]
  readonly prefix?: readonly string[]
  readonly suffix?: readonly string[]
  /** Date on which an old name ended. */
  readonly ended?: string
}

/** “Testwell” is kept for the cast, so that a search for it finds the people of the documentation. */
const familyNames = [
  'Samplewood',
  'Placeholder',
  'Mockley',
  'Exampleton',
  'Fauxworth',
  'Nonesuch',
  'Pretendale',
  'Sandboxer',
  'Synthwell',
  'Trialston',
  'Fixturely',
  'Dummond-Test',
  'Draftworth',
  'Testerby',
  'Mockingham',
  'Sampleford',
  'Testington',
  'Demosby',
  'Placewright',
  'Fictonley',
  'Notareal',
  'Madeupson',
  'Inventworth',
  'Stubwell',
  'Simulacre',
  'Protowell',
  'Specimenby',
  'O’Sample',
  'McMockery',
  'van der Test',
] as const

/** Whole names beyond ASCII; the family part says “test” or “example” in its language where it can. */
export const namesBeyondAscii: readonly PersonName[] = [
  { use: 'official', family: 'Muñoz-Ejemplo', given: ['José', 'Ángel'] },
  { use: 'official', family: 'Przykładowska', given: ['Łucja'] },
  { use: 'official', family: 'Beispielmüller', given: ['Jürgen'] },
  { use: 'official', family: '試験', given: ['花子'] },
  { use: 'official', family: 'Thửnghiệm', given: ['Đức', 'Anh'] },
  { use: 'official', family: 'Тестова', given: ['Ольга'] },
]

export const longName: PersonName = {
  use: 'official',
  family: 'Placeholder-Samplewood-Testerby-Exampleton-von-und-zu-Fictonley',
  given: ['Maximiliana-Alexandrina', 'Wilhelmina', 'Bartholomea', 'Theodosia', 'Constantinopolitana'],
  suffix: ['III', 'PhD'],
}

export function drawName(chance: Chance, sex: 'female' | 'male', family?: string): PersonName {
  const given = [chance.faker.person.firstName(sex)]
  if (chance.happens(0.6)) given.push(chance.faker.person.middleName(sex))
  return { use: 'official', family: family ?? chance.pick(familyNames), given }
}
