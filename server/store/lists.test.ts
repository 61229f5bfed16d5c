import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { type ExamplePatient, examplePatient } from '../../tests/support/example-resources.ts'
import { type PatientListQuery, planPatientList } from '../search/lists.ts'
import { noLiveness } from './liveness.ts'
import { createStore, type Store } from './store.ts'

const people: ExamplePatient[] = [
  { id: 'wren', family: 'Testwell', given: ['Wren'], mrn: 'SYN-004217', born: '1971-04-09' },
  { id: 'juno', family: 'Testwell', given: ['Juno'], mrn: 'SYN-009903', born: '2019-10-28' },
  { id: 'otis', family: 'Samplewood', given: ['Otis', 'Wrenford'], mrn: 'SYN-1', born: '1971-04' },
  { id: 'zoe', family: 'Núñez-Muestra', given: ['Zoë'], mrn: 'SYN-2', born: '1971' },
  { id: 'cruz', family: 'de la Placeholder', given: ['Ana María'], mrn: 'SYN-3', born: '1999-12-31' },
  { id: 'hanako', family: '試験', given: ['花子'], mrn: 'SYN-4', born: '2000-01-01' },
  { id: 'anna', family: 'Annan', given: ['Anna', 'Anne'], mrn: 'SYN-5' },
]

const database = await testDatabase('schema')
const store: Store = createStore({ pool: database.pool, clock: () => new Date('2026-11-20T12:00:00Z') })
const here: number = await store.datasets.create({ name: 'here', kind: 'practice', source: 'test' })
const elsewhere: number = await store.datasets.create({ name: 'elsewhere', kind: 'practice', source: 'test' })
await store.write(here, people.map(examplePatient), { liveness: noLiveness })
await store.write(
  elsewhere,
  [examplePatient({ id: 'wren', family: 'Other', given: ['Person'], mrn: 'SYN-004217' })],
  {
    liveness: noLiveness,
  },
)

async function ids(query: Partial<PatientListQuery>, dataset = here): Promise<string[]> {
  const { matches } = await store.search(
    dataset,
    planPatientList({ limit: 50, offset: 0, ...query }),
    noLiveness,
  )
  return matches.map((row) => row.id)
}

describe('q', () => {
  test.each([
    ['testwell', ['juno', 'wren']],
    ['TESTW', ['juno', 'wren']],
    ['wren', ['wren', 'otis']],
    ['wren testwell', ['wren']],
    ['testwell wren', ['wren']],
    ['Testwell, W', ['wren']],
    ['otis samplewood', ['otis']],
    ['nunez', ['zoe']],
    ['muestra', ['zoe']],
    ['NÚÑEZ muestra zoë', ['zoe']],
    ['placeholder', ['cruz']],
    ['maria', ['cruz']],
    ['試', ['hanako']],
    ['花子 試験', ['hanako']],
    ['syn-004217', ['wren']],
    ['SYN-0', ['wren', 'juno']],
    ['syn', []],
    ['004217', ['wren']],
    ['0042', ['wren']],
    ['ann', ['anna']],
    ['a', ['cruz', 'anna']],
    ['t', ['juno', 'wren']],
    ['Ñ', ['zoe']],
    ['花', ['hanako']],
    ['#', []],
    ['s', ['otis']],
    ['well', []],
    ['%', []],
    ['_', []],
    ['  ', []],
    ["' OR 1=1 --", []],
  ])('%j finds %j', async (q, expected) => {
    expect(await ids({ q })).toEqual(expected)
  })
})

test('of a year everybody stands once in the pages, however many of their names begin so', async () => {
  const dataset = await store.datasets.create({ name: 'year', kind: 'practice', source: 'test' })
  const born = ['Anna', 'Anne', 'Anke'].map((given, at) =>
    examplePatient({ id: given, family: 'Annan', given: [given, 'Anton'], mrn: `SYN-${at}`, born: '1971' }),
  )
  await store.write(dataset, born, { liveness: noLiveness })
  const query = { q: 'an', dob: '1971' }

  const whole = await ids(query, dataset)
  const pages = [0, 1, 2, 3].map((offset) => ids({ ...query, limit: 1, offset }, dataset))

  expect(whole.toSorted()).toEqual(['Anke', 'Anna', 'Anne'])
  expect((await Promise.all(pages)).flat()).toEqual(whole)
  expect(await ids({ q: 'an' }, dataset)).toEqual(whole)
})

test('a page is never cut for its size: who counts in offsets would miss what is left out', async () => {
  const dataset = await store.datasets.create({ name: 'large', kind: 'practice', source: 'test' })
  const large = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({
    ...examplePatient({ id, family: 'Testwell', given: [id], mrn: `SYN-${id}` }),
    text: { status: 'generated', div: id.repeat(900_000) },
  }))
  await store.write(dataset, large, { liveness: noLiveness })

  expect(await ids({ limit: 6 }, dataset)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})
